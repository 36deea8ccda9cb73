import type { ConnectableVendor } from '#contract/connect/connectable';
import type { House } from '#contract/house/house';
import type { ConnectionRow } from '../../../generated/surfaces/connections/tables.ts';

/** A connection whose token is to be given back; what is secret in it stays sealed. */
export type ToRevoke = Pick<ConnectionRow, 'subject' | 'provider' | 'scheme' | 'way' | 'sealed'>;

/** Leave it to a job to tell the vendor: with the change that is made in `tx`, or not at all. */
export async function toRevoke(
  jobs: Pick<House['jobs'], 'enqueue'>,
  { tenant, subject, provider, scheme, way, sealed }: ToRevoke & { readonly tenant: string },
  tx?: Parameters<House['jobs']['enqueue']>[1],
): Promise<void> {
  const payload = { subject, provider, scheme, way, sealed };
  await jobs.enqueue({ name: 'connections-revoke', tenant, payload }, tx);
}

/** Whether giving a token back ends, at this vendor, all that the person has let this server do. */
export function endsGrants(
  vendor: ConnectableVendor | undefined,
  { scheme }: Pick<ToRevoke, 'scheme'>,
): boolean {
  const ways = vendor?.ways.filter((each) => each.kind === 'oauth2') ?? [];
  return ways.find((each) => each.scheme === scheme)?.flow.revoke?.ends === 'grant';
}
