import type { RevokeGrant } from '../authorize/allowed-clients.ts';
import type { GrantRecords, GrantRow } from '../records/grants.ts';
import { timeText } from '../registration/answer.ts';
import type { ListedAgent, ListedAgents } from './agents.ts';
import { operator } from './operator.ts';

export interface AllowedClientsParts {
  readonly grants: Pick<GrantRecords, 'list' | 'look'>;
  readonly revokeGrant: RevokeGrant;
}

/** The clients that people have let in with their browser, for the terminal. */
export function allowedClients({ grants, revokeGrant }: AllowedClientsParts): ListedAgents {
  return {
    async list(limit) {
      return (await grants.list({ limit })).map(listed);
    },
    async find(id) {
      const grant = await grants.look(id);
      return grant && listed(grant);
    },
    revoke: (id) => revokeGrant(id, operator),
  };
}

function listed(grant: GrantRow): ListedAgent {
  const { id, user, client, client_name: name, created_at, used_at, revoked_at } = grant;
  const status = revoked_at === null ? 'allowed' : 'revoked';
  return {
    ...{ id, status, name: name === '' ? client : name, createdAt: created_at },
    facts: {
      ...{ id, kind: 'oauth', status, client_id: client, client_name: name, user },
      created_at: timeText(created_at),
      revoked_at: revoked_at === null ? undefined : timeText(revoked_at),
      used_at: used_at === null ? undefined : timeText(used_at),
      resource: grant.resource,
      scopes: JSON.parse(grant.scopes),
    },
  };
}
