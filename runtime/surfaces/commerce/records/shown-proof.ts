import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';

/** What a client has sent along to pay with, as it came. */
export type ShownProof =
  | { readonly rail: 'x402'; readonly value: unknown }
  | { readonly rail: 'mpp'; readonly value: unknown }
  /** A token that came for a checkout session, with what stands for the challenge. */
  | {
      readonly rail: 'card';
      readonly token: string;
      readonly challengeId: string;
      readonly expiresAt: number;
    };

/**
 * The payment that comes with a call; what stands in the message itself counts before what stands in
 * the headers of the request that brought it.
 *
 * @throws ServiceError 400 where there are several: a call is paid once
 */
export function shownProof({ payment, http }: CallContext): ShownProof | undefined {
  const headers = http?.headers ?? {};
  const x402 = payment?.x402 ?? headers['payment-signature'];
  const credentials = [
    payment?.credential,
    ...textsOf(headers['payment-authorization']).map(withoutScheme),
    ...textsOf(headers['authorization']).filter(isPayment).map(withoutScheme),
  ].filter((each) => each !== undefined);
  if (credentials.length + (x402 === undefined ? 0 : 1) > 1) {
    const message = 'a call is paid with one payment, and here came several';
    throw new ServiceError('invalid_request', 400, message);
  }
  if (x402 !== undefined) return { rail: 'x402', value: x402 };
  return credentials.length > 0 ? { rail: 'mpp', value: credentials[0] } : undefined;
}

const scheme = /^payment +/i;

function isPayment(header: string): boolean {
  return scheme.test(header);
}

function withoutScheme(header: string): string {
  return header.replace(scheme, '').trim();
}

function textsOf(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  return typeof header === 'string' ? [header] : header;
}
