import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Resource, ResourceTemplate } from '#contract/resource';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { legacy, modern } from '../rpc.ts';

// MCP 2026-07-28, resources.

const access = ['mcp.tools'];
const note: Resource = {
  definition: { uri: 'test://note', name: 'note', title: 'A note', mimeType: 'text/plain', access },
  read: async () => [{ uri: 'test://note', mimeType: 'text/plain', text: 'hello' }],
};
const many = Array.from({ length: 201 }, (_, index): Resource => {
  const uri = `test://many/${index}`;
  return {
    definition: { uri, name: `many-${index}`, access },
    read: async () => [{ uri, text: uri }],
  };
});
const page: ResourceTemplate = {
  definition: { uriTemplate: 'test://page/{book}/{number}', name: 'page', access },
  read: async ({ book, number }, uri) =>
    book === 'missing' ? undefined : [{ uri, text: `${book}:${number}` }],
};

function start(t: TestContext): Promise<URL> {
  return startInMemoryServer(t, { resources: [note, ...many], resourceTemplates: [page] });
}

const read = (uri: string) => ({ method: 'resources/read', params: { uri } });

test('a list shows what a client needs, and not who may read', async (t) => {
  const { body } = await modern(await start(t), { method: 'resources/list' });
  const { resources, nextCursor, ttlMs, cacheScope } = body.result as {
    readonly resources: readonly object[];
    readonly nextCursor?: string;
    readonly ttlMs?: number;
    readonly cacheScope?: string;
  };
  const { access: _, ...shown } = note.definition;
  assert.deepEqual(resources[0], shown);
  assert.equal(resources.length, 200);
  assert.equal(typeof nextCursor, 'string');
  assert.ok(Number.isInteger(ttlMs));
  assert.equal(cacheScope, 'private');
});

test('the pages of a list hold all of it once', async (t) => {
  const url = await start(t);
  const uris: unknown[] = [];
  let cursor: unknown;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const { body } = await modern(url, { method: 'resources/list', params });
    const page = body.result as { resources: { uri: string }[]; nextCursor?: string };
    uris.push(...page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  assert.deepEqual(uris, ['test://note', ...many.map(({ definition }) => definition.uri)]);
});

test('templates are listed apart', async (t) => {
  const { body } = await modern(await start(t), { method: 'resources/templates/list' });
  const shown = { uriTemplate: 'test://page/{book}/{number}', name: 'page' };
  assert.deepEqual(body.result?.['resourceTemplates'], [shown]);
});

for (const method of ['resources/list', 'resources/templates/list']) {
  test(`${method}: an invalid cursor is -32602`, async (t) => {
    const { body } = await modern(await start(t), { method, params: { cursor: 'nonsense' } });
    assert.equal(body.error?.code, -32602);
  });
}

test('a resource is read with caching fields, in the handshake era without', async (t) => {
  const url = await start(t);
  const { body } = await modern(url, read('test://note'));
  assert.deepEqual(body.result?.['contents'], await note.read({} as never));
  assert.equal(body.result['ttlMs'], 0);
  assert.equal(body.result['cacheScope'], 'private');
  const { body: old } = await legacy(url, read('test://note'));
  assert.deepEqual(Object.keys(old.result ?? {}), ['contents']);
});

for (const [uri, text] of [
  ['test://page/moby/7', 'moby:7'],
  ['test://page/mo%20by/%2F', 'mo by:/'],
  ['test://page/gr%C3%BC%C3%9Fe/1', 'grüße:1'],
] as const) {
  test(`${uri} fits a template`, async (t) => {
    const { body } = await modern(await start(t), read(uri));
    assert.deepEqual(body.result?.['contents'], [{ uri, text }]);
  });
}

for (const uri of [
  'test://nothing',
  'test://note/',
  'TEST://note',
  'test://page/moby',
  'test://page/moby/7/8',
  'test://page//7',
  'test://page/moby/7?x=1',
  'test://page/%ff/1',
  'test://page/missing/1',
  '',
  '__proto__',
]) {
  test(`${JSON.stringify(uri)} does not exist: 200, -32602, in the handshake era -32002`, async (t) => {
    const url = await start(t);
    const { status, body } = await modern(url, read(uri));
    assert.equal(status, 200);
    assert.equal(body.error?.code, -32602);
    assert.deepEqual(body.error.data, { uri });
    const old = await legacy(url, read(uri));
    assert.equal(old.body.error?.code, -32002);
    assert.deepEqual(old.body.error.data, { uri });
  });
}

test('Mcp-Name is the URI', async (t) => {
  const url = await start(t);
  for (const name of [undefined, 'test://other', 'note']) {
    const { status, body } = await modern(url, read('test://note'), { 'mcp-name': name });
    assert.equal(status, 400);
    assert.equal(body.error?.code, -32020);
  }
});

test('a URI that is no string is -32602', async (t) => {
  const { status, body } = await modern(await start(t), {
    method: 'resources/read',
    params: { uri: 7 },
  });
  assert.equal(status, 200);
  assert.equal(body.error?.code, -32602);
});

test('what is not offered is not there', async (t) => {
  const url = await startInMemoryServer(t);
  for (const method of [
    'resources/list',
    'resources/read',
    'resources/templates/list',
    'prompts/list',
    'prompts/get',
    'completion/complete',
  ]) {
    const { status, body } = await modern(url, { method });
    assert.equal(status, 404, method);
    assert.equal(body.error?.code, -32601);
  }
});
