import assert from 'node:assert/strict';
import test from 'node:test';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { echo, toolOf } from '../../in-memory-tools.ts';
import { legacy, modern, modernVersion, rpc, send } from '../rpc.ts';

// MCP 2026-07-28, standard request headers, and the order in which they are checked.

const tools = [echo, toolOf({ name: 'test_ümlaut' })];
const call = { method: 'tools/call', params: { name: 'test_echo', arguments: { text: 'hi' } } };

const shown = (headers: object) => JSON.stringify(headers, (_, value) => value ?? 'absent');

const mismatches: readonly Readonly<Record<string, string | undefined>>[] = [
  { 'mcp-protocol-version': undefined },
  { 'mcp-protocol-version': '2025-11-25' },
  { 'mcp-protocol-version': '2099-01-01' },
  { 'mcp-method': undefined },
  { 'mcp-method': 'tools/list' },
  { 'mcp-method': 'Tools/Call' },
  { 'mcp-name': undefined },
  { 'mcp-name': 'test_other' },
  { 'mcp-name': '=?base64?dGVzdF9lY2hv?' },
  { 'mcp-name': '=?base64?dGVzdF9lY2hvX?=' },
  { 'mcp-name': '=?base64?test_echo?=' },
  { 'mcp-name': '=?base64?_w==?=' },
  { 'mcp-name': '=?base64?/w==?=' },
  { 'mcp-name': '=?BASE64?dGVzdF9lY2hv?=' },
];
for (const headers of mismatches) {
  test(`${shown(headers)} is 400 and -32020`, async (t) => {
    const url = await startInMemoryServer(t, { tools });
    const { status, body } = await modern(url, call, headers);
    assert.equal(status, 400);
    assert.equal(body.error?.code, -32020);
    assert.equal(body.id, 1);
  });
}

for (const headers of [
  { 'mcp-name': '=?base64?dGVzdF9lY2hv?=' },
  { 'mcp-name': '  test_echo ' },
  { 'mcp-session-id': 'ignored', 'last-event-id': 'ignored' },
]) {
  test(`${JSON.stringify(headers)} passes, and nothing of it is echoed`, async (t) => {
    const url = await startInMemoryServer(t, { tools });
    const answer = await modern(url, call, headers);
    assert.equal(answer.status, 200);
    assert.equal('mcp-session-id' in answer.headers, false);
  });
}

test('a name that HTTP cannot carry travels in base64', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const message = { method: 'tools/call', params: { name: 'test_ümlaut' } };
  const encoded = Buffer.from('test_ümlaut').toString('base64');
  const { body } = await modern(url, message, { 'mcp-name': `=?base64?${encoded}?=` });
  assert.deepEqual(body.result?.['content'], [{ type: 'text', text: 'done' }]);
  const bare = await modern(url, message, { 'mcp-name': 'test_\xfcmlaut' });
  assert.equal(bare.body.error?.code, -32020);
});

for (const [name, right] of [
  ['mcp-name', 'test_echo'],
  ['mcp-method', 'tools/call'],
  ['mcp-protocol-version', modernVersion],
] as const) {
  test(`${name} that comes twice is 400 and -32020, for two readers could take two values`, async (t) => {
    const url = await startInMemoryServer(t, { tools });
    for (const both of [
      [right, 'other'],
      ['other', right],
      [right, right],
    ]) {
      const { status, body } = await modern(url, call, { [name]: both as never });
      assert.equal(status, 400);
      assert.equal(body.error?.code, -32020);
    }
  });
}

test('lists need no Mcp-Name', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  assert.equal((await modern(url, { method: 'tools/list' })).status, 200);
});

test('a version that differs from the header is told before a version that is unknown', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  const differs = await modern(url, { ...call, _meta });
  assert.equal(differs.body.error?.code, -32020);
  const without = await modern(url, { ...call, _meta }, { 'mcp-protocol-version': undefined });
  assert.equal(without.body.error?.code, -32022);
});

test('the order is: envelope, header mismatch, version, missing headers, method, params, name', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const envelope = { 'io.modelcontextprotocol/clientCapabilities': undefined };
  const version = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  const none = {
    'mcp-protocol-version': undefined,
    'mcp-method': undefined,
    'mcp-name': undefined,
  };
  const code = async (message: Parameters<typeof modern>[1], headers = {}) =>
    (await modern(url, message, { ...none, ...headers })).body.error?.code;

  const unknown = { method: 'no/such', _meta: { ...envelope, ...version } };
  assert.equal(await code(unknown, { 'mcp-method': 'other' }), -32602);
  assert.equal(await code({ ...unknown, _meta: version }, { 'mcp-method': 'other' }), -32020);
  assert.equal(await code({ ...unknown, _meta: version }), -32022);
  assert.equal(await code({ ...unknown, _meta: {} }), -32020);
  const routed = { 'mcp-protocol-version': modernVersion };
  assert.equal(await code({ ...unknown, _meta: {} }, routed), -32020);
  const method = (name: string) => ({ ...routed, 'mcp-method': name });
  assert.equal(await code({ ...unknown, _meta: {} }, method('no/such')), -32601);
  assert.equal(await code({ method: 'tools/call', params: {} }, method('tools/call')), -32602);
  assert.equal(await code(call, method('tools/call')), -32020);
});

test('a modern notification is checked like its headers say', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const _meta = { 'io.modelcontextprotocol/protocolVersion': modernVersion };
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta } };
  assert.equal((await rpc(url, message)).status, 202);
  const headers = { 'mcp-protocol-version': '2025-11-25' };
  const { status, body } = await rpc(url, message, headers);
  assert.equal(status, 400);
  assert.equal(body.error?.code, -32020);
});

test('a modern notification without an envelope is accepted, as no answer could reach its sender', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const headers = { 'mcp-protocol-version': modernVersion };
  const params = { requestId: 1, reason: 'gone' };
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
  const { status, text } = await send(url, JSON.stringify(message), headers);
  assert.equal(status, 202);
  assert.equal(text, '');
  const wrong = { ...message, params: { _meta: { 'io.modelcontextprotocol/protocolVersion': 7 } } };
  assert.equal((await rpc(url, wrong, headers)).status, 400);
});

const accepts: readonly [accept: string | undefined, modern: number, legacy: number][] = [
  [undefined, 200, 200],
  ['*/*', 200, 200],
  ['application/json, text/event-stream', 200, 200],
  ['text/event-stream;q=0.5 , Application/JSON;q=0.9', 200, 200],
  ['application/*, text/*', 200, 200],
  ['application/json', 200, 406],
  ['text/event-stream', 200, 406],
  ['text/html', 406, 406],
  ['application/json-seq, text/event-streams', 406, 406],
  ['application/json;q=0, text/event-stream; q=0.000', 406, 406],
  ['*/*;q=0.1, application/json;q=0, text/*;q=0', 406, 406],
  ['application/json;q=0.01, */*;q=0', 200, 406],
];
for (const [accept, modernStatus, legacyStatus] of accepts) {
  test(`Accept ${accept} is ${modernStatus}, in the handshake era ${legacyStatus}`, async (t) => {
    const url = await startInMemoryServer(t, { tools });
    const answer = await modern(url, call, { accept });
    assert.equal(answer.status, modernStatus);
    assert.equal((await legacy(url, { method: 'ping' }, { accept })).status, legacyStatus);
    if (modernStatus !== 200) return assert.equal(answer.body.error?.code, -31406);
    const type = accept === 'text/event-stream' ? accept : 'application/json';
    assert.equal(answer.headers['content-type'], type);
    assert.deepEqual(answer.body.result?.['content'], [{ type: 'text', text: 'hi' }]);
  });
}
