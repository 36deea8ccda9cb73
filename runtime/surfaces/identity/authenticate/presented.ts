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
 * Refuse a token in the address, which others can read (RFC 9700 section 4.3.2).
 *
 * @throws ServiceError 400
 */
export function requireNoneInAddress({ url }: Arrival): void {
  if (!url.includes('access_token=') || !/[?&]access_token=/.test(url)) return;
  const message = 'a token belongs in the header Authorization, not into the address';
  throw new ServiceError('invalid_request', 400, message);
}

/**
 * The access token of a request; nothing where it brings none.
 *
 * @throws ServiceError 400 where it stands in the address
 */
export function presentedToken(arrival: Arrival): Presented | undefined {
  requireNoneInAddress(arrival);
  const { headers } = arrival;
  const { authorization } = headers;
  if (typeof authorization !== 'string') return undefined;
  const space = authorization.indexOf(' ');
  const name = authorization.slice(0, space < 0 ? undefined : space).toLowerCase();
  const token = space < 0 ? '' : authorization.slice(space + 1).trim();
  if (token.startsWith(claimPrefix)) return undefined;
  if (name === 'bearer') return { scheme: 'Bearer', token };
  return name === 'dpop' ? { scheme: 'DPoP', token } : undefined;
}
