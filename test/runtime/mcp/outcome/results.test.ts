import assert from 'node:assert/strict';
import test from 'node:test';
import { serverInfo } from '../../../../runtime/process/version.ts';
import { prompts, resources, resourceTemplates, tools } from '../../../differential/mcp/offer.ts';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { legacy, modern } from '../rpc.ts';

// MCP 2026-07-28: per-response protocol fields, resultType, and caching of lists and reads.

type Params = Readonly<Record<string, unknown>>;

const ref = { type: 'ref/resource', uri: 'test://page/{id}' };
const argument = { name: 'id', value: 'a' };

/** Methods, and who may keep their results; undefined where nothing is said of that. */
const results: readonly (readonly [method: string, params: Params, scope?: string])[] = [
  ['server/discover', {}, 'public'],
  ['tools/list', {}, 'private'],
  ['resources/list', {}, 'private'],
  ['resources/templates/list', {}, 'private'],
  ['resources/read', { uri: 'test://note' }, 'private'],
  ['prompts/list', {}, 'private'],
  ['prompts/get', { name: 'letter', arguments: { to: 'Ann' } }],
  ['completion/complete', { ref, argument }],
  ['tools/call', { name: 'test_echo', arguments: { text: 'hi' } }],
  ['tools/call', { name: 'test_failing' }],
];

for (const [method, params, scope] of results) {
  test(`${method} ${JSON.stringify(params)} says who answers and who may keep it`, async (t) => {
    const offer = { tools, resources, resourceTemplates, prompts };
    const url = await startInMemoryServer(t, offer);
    const { result = {} } = (await modern(url, { method, params })).body;
    assert.equal(result['resultType'], 'complete');
    const _meta = result['_meta'] as Record<string, unknown>;
    assert.deepEqual(_meta['io.modelcontextprotocol/serverInfo'], serverInfo);
    assert.equal(result['cacheScope'], scope);
    assert.equal(
      Number.isInteger(result['ttlMs']) && Number(result['ttlMs']) >= 0,
      scope !== undefined,
    );
    if (method === 'server/discover') return;
    const { result: old = {} } = (await legacy(url, { method, params })).body;
    for (const name of ['resultType', 'cacheScope', 'ttlMs'])
      assert.equal(name in old, false, name);
  });
}
