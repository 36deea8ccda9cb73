import { DatabaseSync } from 'node:sqlite';
import { createStore } from '../../../runtime/store/index.ts';

/** Name the registration with this number; spread over the index as random ids are. */
export function idOf(number: number): string {
  return `reg_${spread(number)}`;
}

/** The hash of its claim token. */
export function claimHashOf(number: number): string {
  return `hash_${spread(number)}`;
}

function spread(number: number): string {
  return Math.imul(number + 1, 0x9e3779b1)
    .toString(16)
    .padStart(9, '0');
}

/** Make a store with so many registrations. */
export async function fillStore(dataDir: string, count: number): Promise<void> {
  const store = createStore({ dataDir });
  await store.open();
  await store.close();
  const database = new DatabaseSync(`${dataDir}/store.db`);
  const now = Date.now();
  const insert = database.prepare(`insert into identity_registration
    (tenant, id, kind, client_name, software_id, network, created_at, expires_at, not_before, epoch,
     pre_scopes, post_scopes, claim_hash, hint, issuer, issuer_tenant, issuer_subject, audience, jkt)
    values ('default', ?, 'anonymous', 'Helper', 'https://agents.example.com/helper', '10.0.0.1',
      ${now}, ${now + 86_400_000}, 0, 1, '["mcp.tools"]', '["mcp.tools","api.read"]', ?,
      '', '', '', '', '', '')`);
  database.exec('begin');
  for (let number = 0; number < count; number++) insert.run(idOf(number), claimHashOf(number));
  database.exec('commit');
  database.close();
}
