import type { Registration, RegistrationRecords } from '../records/registrations.ts';
import { timeText } from '../registration/answer.ts';
import type { RevokeRegistration } from '../registration/revoke-registration.ts';
import type { ListedAgent, ListedAgents } from './agents.ts';
import { operator } from './operator.ts';

export interface RegisteredAgentsParts {
  readonly records: Pick<RegistrationRecords, 'list' | 'find'>;
  readonly revoke: RevokeRegistration;
  readonly now: () => number;
}

/** The agents that have registered themselves, for the terminal. */
export function registeredAgents(parts: RegisteredAgentsParts): ListedAgents {
  const { records, revoke, now } = parts;
  return {
    async list(limit) {
      return (await records.list({ limit })).map((each) => listed(each, now()));
    },
    async find(id) {
      const found = await records.find(id);
      return found && listed(found, now());
    },
    revoke: (id) => revoke(id, operator),
  };
}

function statusOf({ revokedAt, claimedAt, expiresAt }: Registration, now: number): string {
  if (revokedAt !== undefined) return 'revoked';
  if (claimedAt !== undefined) return 'claimed';
  return expiresAt <= now ? 'expired' : 'unclaimed';
}

function listed(each: Registration, now: number): ListedAgent {
  const { id, kind, user, clientName: name, createdAt, claimedAt, revokedAt, usedAt } = each;
  const status = statusOf(each, now);
  return {
    ...{ id, status, name, createdAt },
    facts: {
      ...{ id, kind, status, client_name: name, user },
      created_at: timeText(createdAt),
      claimed_at: claimedAt && timeText(claimedAt),
      revoked_at: revokedAt && timeText(revokedAt),
      used_at: usedAt && timeText(usedAt),
      pre_claim_scopes: each.preScopes,
      post_claim_scopes: each.postScopes,
    },
  };
}
