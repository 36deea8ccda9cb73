import type { SurfaceCommand } from '#contract/surface/surface-module';
import type { Registration, RegistrationRecords } from '../records/registrations.ts';
import { timeText } from '../registration/answer.ts';
import { usage } from './development-token.ts';
import type { NoteAtTerminal } from './terminal-notes.ts';

export interface AgentsParts {
  readonly records: Pick<RegistrationRecords, 'list' | 'find'>;
  /** Revokes it without writing that down; gives whether there was something to revoke. */
  readonly revoke: (id: string) => Promise<boolean>;
  readonly note: NoteAtTerminal;
  readonly now: () => number;
}

const mostListed = 1000;

/** List, show and revoke the agents that have registered themselves. */
export function agentsCommand({ records, revoke, note, now }: AgentsParts): SurfaceCommand {
  async function find(id: string): Promise<Registration> {
    const found = await records.find(id);
    if (!found) throw usage(`there is no registration ${JSON.stringify(id.slice(0, 80))}`);
    return found;
  }
  return async ([action, id, ...rest]) => {
    if (rest.length === 0 && action === 'list' && id === undefined) {
      const all = await records.list({ limit: mostListed });
      return all.length === 0 ? 'no agent has registered' : all.map(line(now())).join('\n');
    }
    if (rest.length === 0 && action === 'show' && id !== undefined) {
      return details(await find(id), now());
    }
    if (rest.length === 0 && action === 'revoke' && id !== undefined) {
      await find(id);
      const was = await revoke(id);
      if (was) await note({ kind: 'revoked', registration: id });
      return was ? `${id} is revoked, with all its tokens` : `${id} was revoked before`;
    }
    throw usage('agents takes one of: list, show ID, revoke ID');
  };
}

function statusOf({ revokedAt, claimedAt, expiresAt }: Registration, now: number): string {
  if (revokedAt !== undefined) return 'revoked';
  if (claimedAt !== undefined) return 'claimed';
  return expiresAt <= now ? 'expired' : 'unclaimed';
}

function line(now: number) {
  return (each: Registration): string =>
    [each.id, statusOf(each, now).padEnd(9), timeText(each.createdAt), each.clientName].join('  ');
}

function details(each: Registration, now: number): string {
  const { id, kind, user, clientName, createdAt, claimedAt, revokedAt, usedAt } = each;
  const facts = {
    ...{ id, kind, status: statusOf(each, now), client_name: clientName, user },
    created_at: timeText(createdAt),
    claimed_at: claimedAt && timeText(claimedAt),
    revoked_at: revokedAt && timeText(revokedAt),
    used_at: usedAt && timeText(usedAt),
    pre_claim_scopes: each.preScopes,
    post_claim_scopes: each.postScopes,
  };
  return JSON.stringify(facts, null, 2);
}
