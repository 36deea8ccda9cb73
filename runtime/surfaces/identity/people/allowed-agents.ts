import type { ActingAgent } from '../pages/agents-page.ts';
import type { GrantRecords, GrantRow } from '../records/grants.ts';
import type { Scopes } from '../scopes/catalogue.ts';
import { dayText, mostShown, type OtherAgents } from './agents-handlers.ts';

export interface AllowedAgentsParts {
  readonly grants: Pick<GrantRecords, 'list' | 'find'>;
  /** Ends one in the name of a person, and writes that down. */
  readonly revokeGrant: (
    id: string,
    actor: { readonly type: 'user'; readonly id: string },
  ) => Promise<boolean>;
  readonly scopes: Pick<Scopes, 'sentence'>;
}

/** The clients that people have let in with their browser, among what acts for them. */
export function allowedAgents({ grants, revokeGrant, scopes }: AllowedAgentsParts): OtherAgents {
  return {
    async list(person) {
      const own = await grants.list({ user: person.id, limit: mostShown });
      return own.map((each) => actingClient(each, scopes));
    },
    async revoke(id, person) {
      const grant = await grants.find(id);
      if (grant?.user !== person.id) return false;
      return revokeGrant(id, { type: 'user', id: person.id });
    },
  };
}

function actingClient(grant: GrantRow, scopes: Pick<Scopes, 'sentence'>): ActingAgent {
  const { id, client, client_name: name, created_at, used_at: usedAt } = grant;
  const host = client.startsWith('https://') ? URL.parse(client)?.host : undefined;
  return {
    id,
    name,
    kind: host === undefined ? 'A client that you let in' : `A client of ${host} that you let in`,
    since: dayText(created_at),
    used: usedAt === null ? 'never' : dayText(usedAt),
    scopes: (JSON.parse(grant.scopes) as readonly string[]).map((each) => scopes.sentence(each)),
  };
}
