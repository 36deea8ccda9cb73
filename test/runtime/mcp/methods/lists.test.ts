import assert from 'node:assert/strict';
import test from 'node:test';
import type { Tool } from '#contract/tool';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { echo, toolOf } from '../../in-memory-tools.ts';
import { modern } from '../rpc.ts';

// MCP 2026-07-28: server/discover and lists.

const many = (count: number): Tool[] =>
  Array.from({ length: count }, (_, index) => toolOf({ name: `test_${index}` }));

async function listAll(url: URL): Promise<{ names: string[]; pages: Record<string, unknown>[] }> {
  const pages: Record<string, unknown>[] = [];
  let cursor: unknown;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const { body } = await modern(url, { method: 'tools/list', params });
    assert.ok(body.result);
    pages.push(body.result);
    cursor = body.result['nextCursor'];
  } while (cursor !== undefined);
  const names = pages.flatMap((page) => (page['tools'] as { name: string }[]).map((t) => t.name));
  return { names, pages };
}

test('server/discover says what is served', async (t) => {
  const url = await startInMemoryServer(t, { tools: [echo] });
  const { status, body } = await modern(url, { method: 'server/discover' });
  assert.equal(status, 200);
  const { supportedVersions, capabilities, instructions, resultType, ttlMs, cacheScope, _meta } =
    body.result ?? {};
  assert.deepEqual(supportedVersions, ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']);
  assert.deepEqual(capabilities, { tools: { listChanged: true } });
  assert.equal(typeof instructions, 'string');
  assert.equal(resultType, 'complete');
  assert.ok(Number.isInteger(ttlMs));
  assert.equal(cacheScope, 'public');
  assert.ok((_meta as object)['io.modelcontextprotocol/serverInfo' as never]);
});

test('a tool is listed with everything that a client needs', async (t) => {
  const url = await startInMemoryServer(t, { tools: [echo] });
  const { body } = await modern(url, { method: 'tools/list' });
  const { tools, resultType, ttlMs, cacheScope, _meta } = body.result ?? {};
  const { name, title, description, annotations, input, output } = echo.definition;
  const listed = {
    name,
    title,
    description,
    annotations,
    inputSchema: input,
    outputSchema: output,
  };
  assert.deepEqual(tools, [listed]);
  assert.equal(resultType, 'complete');
  assert.equal(ttlMs, 300_000);
  assert.equal(cacheScope, 'private');
  assert.match(
    String((_meta as Record<string, unknown>)['dev.agent-tool-server/catalog']),
    /^[\w-]{22}$/,
  );
});

test('an empty catalogue is one empty page', async (t) => {
  const url = await startInMemoryServer(t);
  const { pages } = await listAll(url);
  assert.deepEqual(
    pages.map((page) => page['tools']),
    [[]],
  );
});

test('pages hold 200 tools in the order of the catalogue', async (t) => {
  const tools = many(450);
  const url = await startInMemoryServer(t, { tools });
  const { names, pages } = await listAll(url);
  assert.deepEqual(
    pages.map((page) => (page['tools'] as unknown[]).length),
    [200, 200, 50],
  );
  assert.deepEqual(
    names,
    tools.map((tool) => tool.definition.name),
  );
});

test('a full last page leads nowhere', async (t) => {
  const url = await startInMemoryServer(t, { tools: many(200) });
  assert.equal((await listAll(url)).pages.length, 1);
});

test('two servers with the same tools list the same bytes', async (t) => {
  const lists = [];
  for (const tools of [many(250), many(250)]) {
    const url = await startInMemoryServer(t, { tools });
    lists.push((await modern(url, { method: 'tools/list' })).text);
  }
  assert.equal(lists[0], lists[1]);
});

test('a cursor of another catalogue is not valid any more', async (t) => {
  const one = await startInMemoryServer(t, { tools: many(250) });
  const other = await startInMemoryServer(t, { tools: many(251) });
  const { pages } = await listAll(one);
  const params = { cursor: pages[0]?.['nextCursor'] };
  assert.equal((await modern(one, { method: 'tools/list', params })).status, 200);
  const { body } = await modern(other, { method: 'tools/list', params });
  assert.equal(body.error?.code, -32602);
});

test('a cursor that nobody was given is not valid', async (t) => {
  const url = await startInMemoryServer(t, { tools: many(450) });
  const { pages } = await listAll(url);
  const given = JSON.parse(Buffer.from(String(pages[0]?.['nextCursor']), 'base64url').toString());
  assert.equal(given.offset, 200);
  for (const offset of [0, 1, 600, -200]) {
    const forged = Buffer.from(JSON.stringify({ ...given, offset })).toString('base64url');
    const params = { cursor: forged };
    const { body } = await modern(url, { method: 'tools/list', params });
    assert.equal(body.error?.code, -32602);
  }
});
