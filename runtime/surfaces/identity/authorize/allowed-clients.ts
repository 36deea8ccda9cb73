import type { AuditActor } from '#contract/house/audit';
import type { Outbox } from '../outbox/outbox.ts';
import type { GrantRecords, GrantRow } from '../records/grants.ts';
import type { Place } from '../records/place.ts';
import type { RefreshTokenRecords } from '../records/refresh-tokens.ts';
import type { RevocationRecords } from '../records/revocations.ts';
import type { Revocations } from '../tokens/revocations.ts';

export interface AllowedClientsParts {
  readonly place: Place;
  readonly grants: Pick<GrantRecords, 'find' | 'revoke'>;
  readonly refreshTokens: Pick<RefreshTokenRecords, 'removeOwned'>;
  readonly marks: Pick<RevocationRecords, 'raise'>;
  readonly revocations: Pick<Revocations, 'follow'>;
  readonly outbox: Outbox;
}

/** Ends what a person allows a client, with every token of it; gives whether there was anything to end. */
export type RevokeGrant = (id: string, actor: AuditActor, outcome?: 'denied') => Promise<boolean>;

/** A token that was asked for before, and is minted only now, is revoked as well. */
const lateMs = 5000;

/** Make what ends grants, and writes that down: all of it happens, or nothing. */
export function revokeGrants(parts: AllowedClientsParts): RevokeGrant {
  const { place, grants, refreshTokens, marks, revocations, outbox } = parts;
  return async (id, actor, outcome) => {
    const was = await place.store.transaction(async (tx) => {
      const grant = await grants.find(id, tx);
      if (!grant) return false;
      await grants.revoke(id, tx);
      await marks.raise({ kind: 'grant', id, notBefore: place.now() + lateMs }, tx);
      await refreshTokens.removeOwned(id, tx);
      await outbox.add({ ...endedGrant(grant), actor, ...(outcome && { outcome }) }, tx);
      return true;
    });
    if (!was) return false;
    outbox.wake();
    await revocations.follow();
    return true;
  };
}

function endedGrant({ client, resource, scopes }: GrantRow) {
  const scope = (JSON.parse(scopes) as readonly string[]).join(' ').slice(0, 2000);
  const subject = client.slice(0, 500);
  return {
    action: 'CONSENT_REVOKED',
    subject,
    payload: { client: subject, resource, scope },
  } as const;
}
