import type { Arrival } from '#contract/arrival';
import { ServiceError } from '#contract/errors';

/** A token as it came (RFC 6750 section 2.1, RFC 9449 section 7.1). */
export interface Presented {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly token: string;
}

/** What is no access token: claims are asked for with their own. */
const claimPrefix = 'clm_';

/**
 * The access token of a request; nothing where it brings none.
 *
 * @throws ServiceError 400 where it stands in the address, which others can read
 */
export function presentedToken({ headers, url }: Arrival): Presented | undefined {
  if (url.includes('access_token=') && /[?&]access_token=/.test(url)) {
    const message = 'a token belongs in the header Authorization, not into the address';
    throw new ServiceError('invalid_request', 400, message);
  }
  const { authorization } = headers;
  if (typeof authorization !== 'string') return undefined;
  const space = authorization.indexOf(' ');
  const name = authorization.slice(0, space < 0 ? undefined : space).toLowerCase();
  const token = space < 0 ? '' : authorization.slice(space + 1).trim();
  if (token.startsWith(claimPrefix)) return undefined;
  if (name === 'bearer') return { scheme: 'Bearer', token };
  return name === 'dpop' ? { scheme: 'DPoP', token } : undefined;
}
