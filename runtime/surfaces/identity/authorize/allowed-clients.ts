import type { AuditActor } from '#contract/house/audit';
import type { IdentityEvents } from '../../../../generated/surfaces/identity/events.ts';
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
  readonly events: Pick<IdentityEvents, 'consentRevoked'>;
}

/** Ends what a person allows a client; gives what that was, or nothing where it was over already. */
export type EndGrant = (id: string) => Promise<GrantRow | undefined>;

/** A token that was asked for before, and is minted only now, is revoked as well. */
const lateMs = 5000;

/** Make what ends grants with every token of them: all of it happens, or nothing. */
export function endGrants(parts: Omit<AllowedClientsParts, 'events'>): EndGrant {
  const { place, grants, refreshTokens, marks, revocations } = parts;
  return async (id) => {
    const ended = await place.store.transaction(async (tx) => {
      const grant = await grants.find(id, tx);
      if (!grant) return undefined;
      await grants.revoke(id, tx);
      await marks.raise({ kind: 'grant', id, notBefore: place.now() + lateMs }, tx);
      await refreshTokens.removeOwned(id, tx);
      return grant;
    });
    if (ended) await revocations.follow();
    return ended;
  };
}

/** What is written down when a grant ends. */
export function endedGrant({ client, resource, scopes }: GrantRow) {
  const scope = (JSON.parse(scopes) as readonly string[]).join(' ').slice(0, 2000);
  return {
    subject: client.slice(0, 500),
    payload: { client: client.slice(0, 500), resource, scope },
  };
}

/** The same, and write it down; gives whether there was one to end. */
export function revokeGrants(
  parts: AllowedClientsParts,
): (id: string, actor: AuditActor) => Promise<boolean> {
  const end = endGrants(parts);
  return async (id, actor) => {
    const ended = await end(id);
    if (!ended) return false;
    await parts.events.consentRevoked({ actor, tenant: parts.place.tenant, ...endedGrant(ended) });
    return true;
  };
}
