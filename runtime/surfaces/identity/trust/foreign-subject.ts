import type { Subject } from '../records/delegations.ts';

/** What a subject of an issuer is called here; nobody of this server, or of another issuer, is called so. */
export function foreignSubject({ issuer, issuerTenant, subject }: Subject): string {
  return [issuer, ...(issuerTenant === '' ? [] : [issuerTenant]), subject].join(' ');
}
