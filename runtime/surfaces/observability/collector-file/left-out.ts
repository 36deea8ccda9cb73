import type { Finding } from '../errors.ts';

/** A back end that would be sent to, but that nothing may be sent to as it is registered. */
export interface LeftOut {
  /** `<signal>/<id>`. */
  readonly provider: string;
  /** What of it is wrong: its kind, a file of its TLS, its filter or one of its addresses. */
  readonly field: 'kind' | 'tls' | 'spanFilter' | AddressField;
  readonly reason: string;
}

type AddressField = (typeof addressFields)[number];
/** Fields of a back end that hold an address. */
export const addressFields = ['endpoint', 'otlpEndpoint', 'pushUrl'] as const;

/** The same as what is wrong with the registry. */
export function findingsOf(leftOut: readonly LeftOut[]): readonly Finding[] {
  return leftOut.map(({ provider, field, reason }) => ({ field: `${provider}.${field}`, reason }));
}
