import type { House } from '#contract/house/house';
import type { JobRun } from '#contract/house/jobs';
import type { ConnectionsEvents } from '../../../generated/surfaces/connections/events.ts';
import type { ConnectionRow } from '../../../generated/surfaces/connections/tables.ts';
import { readTokens } from './credentials/held-tokens.ts';
import type { RenewalParts } from './credentials/renewal.ts';
import { revokeToken } from './oauth/revoke-token.ts';
import type { Owner } from './records/connections.ts';
import { type ToRevoke, toRevoke } from './to-revoke.ts';

/** What is left to do for a connection that is gone; what was secret in it stays sealed. */
type LeftToDo = ToRevoke & { readonly by: 'person' | 'operator' };

/** Forget an account at once, and leave it to jobs to tell the vendor and to write it down. */
export type Disconnect = (
  owner: Owner,
  provider: string,
  by: LeftToDo['by'],
) => Promise<ConnectionRow | undefined>;

/** Make it. The audit log, and the way to the vendors, may belong to another process. */
export function createDisconnect(
  { records }: Pick<RenewalParts, 'records'>,
  jobs: House['jobs'],
): Disconnect {
  return async (owner, provider, by) => {
    const gone = await records.remove(owner, provider, async (row, tx) => {
      const { tenant, subject, scheme, way, sealed } = row;
      const payload = { subject, provider, scheme, way, sealed, by };
      await toRevoke(jobs, row, tx);
      await jobs.enqueue({ name: 'connections-note', tenant, payload }, tx);
    });
    jobs.wake();
    return gone;
  };
}

/** Make the job that writes down that an account was disconnected. */
export function noteDisconnected(
  events: Pick<ConnectionsEvents, 'connectionRevoked'>,
): (job: JobRun) => Promise<void> {
  return async ({ tenant, payload }) => {
    const { subject, provider, way, by } = leftToDo(payload);
    const actor = { type: 'user', id: by === 'operator' ? by : subject } as const;
    await events.connectionRevoked({ tenant, actor, subject, payload: { provider, way, by } });
  };
}

/** Make the job that tells the vendor: it fails, and is done again, where the vendor is away. */
export function tellVendor({
  vendors,
  sealer,
  outbound,
}: Pick<RenewalParts, 'vendors' | 'sealer' | 'outbound'>): (job: JobRun) => Promise<void> {
  return async ({ tenant, payload }) => {
    // Written by `toRevoke` alone.
    const left = payload as unknown as ToRevoke;
    const ways = vendors.get(left.provider)?.ways ?? [];
    const way = ways
      .filter((each) => each.kind === 'oauth2')
      .find(({ scheme }) => scheme === left.scheme);
    // A key that a person has made is theirs to delete; a vendor that is off cannot be told.
    if (left.way !== 'oauth2' || !way) return;
    const { access, refresh } = await readTokens(sealer, { ...left, tenant });
    // By RFC 7009 section 2.1 the end of a refresh token is that of the tokens that came of it, too.
    const isStandard = way.flow.revoke?.by === 'client' && way.flow.revoke.parameter === 'token';
    await revokeToken(way, outbound, (isStandard && refresh) || access);
  };
}

function leftToDo(payload: JobRun['payload']): LeftToDo {
  // Written by `createDisconnect` alone.
  return payload as unknown as LeftToDo;
}
