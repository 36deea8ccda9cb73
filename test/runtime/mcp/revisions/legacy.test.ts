import assert from 'node:assert/strict';
import test from 'node:test';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { broken, echo, listing } from '../../in-memory-tools.ts';
import { legacy, modern } from '../rpc.ts';

// The handshake era without sessions: MCP 2025-11-25, 2025-06-18 and 2025-03-26.

const tools = [echo, listing, broken];

const opening = (protocolVersion: unknown) => ({
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
  test(`initialize agrees on ${version} when it is asked for`, async (t) => {
    const url = await startInMemoryServer(t, { tools });
    const { status, headers, body } = await legacy(url, opening(version));
    assert.equal(status, 200);
    assert.equal('mcp-session-id' in headers, false);
    const { protocolVersion, capabilities, serverInfo, instructions } = body.result ?? {};
    assert.equal(protocolVersion, version);
    assert.deepEqual(capabilities, { tools: {} });
    assert.equal((serverInfo as { name: string }).name, 'agent-tool-server');
    assert.equal(typeof instructions, 'string');
  });
}

for (const version of ['2024-11-05', '2099-01-01', 'x']) {
  test(`initialize answers 2025-11-25 when ${version} is asked for`, async (t) => {
    const url = await startInMemoryServer(t, { tools });
    const { body } = await legacy(url, opening(version));
    assert.equal(body.result?.['protocolVersion'], '2025-11-25');
  });
}

test('initialize without a version is -32602', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const { status, body } = await legacy(url, opening(undefined));
  assert.equal(status, 200);
  assert.equal(body.error?.code, -32602);
});

for (const version of ['2024-11-05', 'x']) {
  test(`a later request with the version ${version} is 400`, async (t) => {
    const url = await startInMemoryServer(t, { tools });
    const headers = { 'mcp-protocol-version': version };
    const { status, body } = await legacy(url, { method: 'ping' }, headers);
    assert.equal(status, 400);
    assert.equal(body.error?.code, -32600);
  });
}

test('results have neither resultType nor ttlMs nor cacheScope', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const params = { name: 'test_echo', arguments: { text: 'hi' } };
  const requests = [{ method: 'tools/list' }, { method: 'tools/call', params }];
  for (const message of requests) {
    const { body } = await legacy(url, message, { 'mcp-protocol-version': '2025-06-18' });
    assert.ok(body.result);
    for (const member of ['resultType', 'ttlMs', 'cacheScope']) assert.ok(!(member in body.result));
  }
});

test('structured content that is no object is wrapped, and its schema is left out', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const message = { method: 'tools/call', params: { name: 'test_listing' } };
  const wrapped = await legacy(url, message);
  assert.deepEqual(wrapped.body.result?.['structuredContent'], { result: [1, 2] });
  const plain = await modern(url, message);
  assert.deepEqual(plain.body.result?.['structuredContent'], [1, 2]);

  const schemaIn = (list: unknown, name: string) =>
    (list as { name: string; outputSchema?: unknown }[]).find((tool) => tool.name === name)
      ?.outputSchema;
  const old = (await legacy(url, { method: 'tools/list' })).body.result?.['tools'];
  const exact = new URL('?profile=exact', url);
  const now = (await modern(exact, { method: 'tools/list' })).body.result?.['tools'];
  assert.equal(schemaIn(old, 'test_listing'), undefined);
  assert.deepEqual(schemaIn(now, 'test_listing'), { type: 'array', items: { type: 'integer' } });
  assert.ok(schemaIn(old, 'test_echo'));
});

for (const method of ['no/such', 'server/discover', 'logging/setLevel', 'toString']) {
  test(`the method ${method} is -32601`, async (t) => {
    const url = await startInMemoryServer(t, { tools });
    const { status, body } = await legacy(url, { method });
    assert.equal(status, 200);
    assert.equal(body.error?.code, -32601);
  });
}

test('a tool that breaks is -32603', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const { body } = await legacy(url, { method: 'tools/call', params: { name: 'test_broken' } });
  assert.equal(body.error?.code, -32603);
});
