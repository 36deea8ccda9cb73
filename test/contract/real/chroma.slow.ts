import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../surfaces/identity/outbox/mail-server.ts';
import { objectOf } from './answers.ts';
import { draftTools } from './drafted-tools.ts';
import { startPythonServer } from './real-server.ts';

const token = 'a-token-that-nobody-checks';

// Chroma, a database of vectors, publishes a description of OpenAPI 3.1 that its code makes.
test('a database of Chroma is filled, read, changed and deleted through drafted tools', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'chroma-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const own = `http://127.0.0.1:${port}/api/v2`;
  await startPythonServer(t, {
    program: 'chroma',
    args: ['run', '--host', '127.0.0.1', '--port', `${port}`, '--path', join(folder, 'data')],
    ready: `${own}/heartbeat`,
    folder,
  });
  const openapi = `http://127.0.0.1:${port}/openapi.json`;
  const env = { SERVICE_CHROMA_TOKEN: token };
  const { call, fail, say } = await draftTools(t, { id: 'chroma', openapi, env });

  // It counts nanoseconds, more than readers of JSON keep: they come as their digits.
  assert.match(await say('chroma_heartbeat_get'), /\D\d{19}\D/);
  const place = { tenant: 'acme', database: 'shop' };
  await call('chroma_create_tenant', { name: place.tenant });
  await call('chroma_create_database', { tenant: place.tenant, name: place.database });
  const ids: string[] = [];
  for (const name of ['books', 'films', 'songs']) {
    const metadata = { shelf: 3, share: 0.5, open: true, topic: name };
    const made = objectOf(await call('chroma_create_collection', { ...place, name, metadata }));
    assert.deepEqual(made['metadata'], metadata);
    ids.push(String(made['id']));
  }
  const collections = `${own}/tenants/acme/databases/shop/collections`;
  assert.deepEqual(named(await asked(collections)), ['books', 'films', 'songs']);

  const first = objectOf(await call('chroma_list_collections', { ...place, limit: 2 }));
  const cursor = first['next_cursor'];
  const second = objectOf(await call('chroma_list_collections', { ...place, limit: 2, cursor }));
  const [one, other] = [named(first['items']), named(second['items'])];
  assert.deepEqual([one.length, other.length], [2, 1]);
  // In which order is the server's matter.
  assert.deepEqual([...one, ...other].sort(), ['books', 'films', 'songs']);

  const books = { ...place, collection_id: ids[0] };
  const records = `${collections}/${ids[0]}/get`;
  await call('chroma_collection_add', {
    ...books,
    ids: ['a', 'b', 'c'],
    embeddings: [
      [1, 0],
      [0, 1],
      [1, 1],
    ],
    documents: ['Alpha', 'Beta', 'Gamma'],
    metadatas: [{ year: 1999 }, { year: 2001.5 }, { year: 2026 }],
  });
  assert.deepEqual(objectOf(await asked(records, {}))['documents'], ['Alpha', 'Beta', 'Gamma']);
  const rest = objectOf(await call('chroma_collection_get', { ...books, limit: 2, offset: 1 }));
  assert.deepEqual(rest['ids'], ['b', 'c']);
  const query = { query_embeddings: [[1, 0.1]], n_results: 1, include: ['documents'] };
  const nearest = objectOf(await call('chroma_collection_query', { ...books, ...query }));
  assert.deepEqual(nearest['documents'], [['Alpha']]);

  await call('chroma_collection_update', {
    ...books,
    ids: ['a'],
    documents: ['Aleph'],
    embeddings: [[1, 0]],
  });
  await call('chroma_collection_delete', { ...books, ids: ['b'] });
  assert.deepEqual(objectOf(await asked(records, {}))['documents'], ['Aleph', 'Gamma']);
  await call('chroma_update_collection', { ...books, new_name: 'novels' });
  await call('chroma_delete_collection', { ...place, collection_id: 'films' });
  assert.deepEqual(named(await asked(collections)), ['novels', 'songs']);
  assert.match(
    await fail('chroma_get_collection', { ...place, collection_id: 'films' }),
    /not_found.*Collection \[films\] does not exist/,
  );
});

/** What the server itself says, by its own API. */
async function asked(url: string, body?: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, body && { method: 'POST', headers, body: JSON.stringify(body) });
  assert.equal(answer.status, 200);
  return answer.json();
}

function named(list: unknown): unknown[] {
  assert.ok(Array.isArray(list), JSON.stringify(list));
  return list.map((each) => objectOf(each)['name']).sort();
}
