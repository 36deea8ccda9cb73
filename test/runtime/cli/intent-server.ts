import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { legacy } from '../mcp/rpc.ts';

/** What makes `osv_get` an act whose intent has to be in the log before it is done. */
export const withIntent = {
  NODE_OPTIONS: `--import=${new URL('osv-with-intent.ts', import.meta.url).href}`,
};

/** Call `osv_get`; gives the result of the tool. */
export async function callOsv(url: URL, id = 'X-1'): Promise<Readonly<Record<string, unknown>>> {
  const params = { name: 'osv_get', arguments: { id } };
  const { body } = await legacy(url, { method: 'tools/call', params });
  assert.ok(body.result, JSON.stringify(body));
  return body.result;
}

/** What the log in a file says of the calls of `osv_get`, in their order. */
export function outcomesIn(path: string): readonly string[] {
  return entriesIn(path)
    .filter(({ payload }) => payload?.operation === 'osv_get')
    .map(({ outcome, payload }) => [outcome, payload?.error].filter(Boolean).join(' '));
}

/** What has been done by the log in a file, the first act first. */
export function actionsIn(path: string): readonly string[] {
  return entriesIn(path).map(({ action }) => action);
}

interface Entry {
  readonly action: string;
  readonly outcome: string;
  readonly payload?: { readonly operation?: string; readonly error?: string };
}

function entriesIn(path: string): readonly Entry[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare('SELECT CAST(bytes AS TEXT) AS text FROM entry ORDER BY seq').all();
  database.close();
  return rows.map(({ text }) => JSON.parse(String(text)));
}
