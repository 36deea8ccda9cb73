import type { JobRun } from '#contract/house/jobs';
import type { ConnectionRow } from '../../../generated/surfaces/connections/tables.ts';
import { readTokens } from './credentials/held-tokens.ts';
import type { RenewalParts } from './credentials/renewal.ts';
import { toNote } from './notes.ts';
import { revokeToken } from './oauth/revoke-token.ts';
import type { Owner } from './records/connections.ts';
import { type ToRevoke, toRevoke } from './to-revoke.ts';

/** Forget an account at once, and leave it to jobs to tell the vendor and to write it down. */
export type Disconnect = (
  owner: Owner,
  provider: string,
  by: 'person' | 'operator',
) => Promise<ConnectionRow | undefined>;

/** Make it. The audit log, and the way to the vendors, may belong to another process. */
export function createDisconnect(
  parts: Pick<RenewalParts, 'records' | 'jobs' | 'now'>,
): Disconnect {
  const { records, jobs } = parts;
  return async (owner, provider, by) => {
    const gone = await records.remove(owner, provider, async (row, tx) => {
      const { tenant, subject, way } = row;
      await toRevoke(jobs, row, tx);
      await toNote(parts, { tenant, kind: 'revoked', subject, provider, way, by }, tx);
    });
    jobs.wake();
    return gone;
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
