import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import test from 'node:test';
import { request } from 'undici';
import type { JsonSchema } from '#contract/json';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { echo, toolOf } from '../../in-memory-tools.ts';
import { legacy, modern, modernVersion, rpc, send } from '../rpc.ts';

// The rules by which one POST is told to be of one era or the other, in their order.

const tools = [echo];
const json = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD'] as const) {
  test(`rule 1: ${method} is 405 and names what is allowed`, async (t) => {
    const url = await startInMemoryServer(t, { tools });
    const { statusCode, headers, body } = await request(url, { method });
    await body.dump();
    assert.equal(statusCode, 405);
    assert.equal(headers['allow'], 'POST');
  });
}

for (const type of [undefined, 'text/plain', 'application/json-patch+json', 'application/jsonx']) {
  test(`rule 2: Content-Type ${type} is 415`, async (t) => {
    const url = await startInMemoryServer(t, { tools });
    assert.equal((await send(url, json, { 'content-type': type })).status, 415);
  });
}

test('rule 2: Content-Type may have parameters and any case', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const type = 'Application/JSON; charset=utf-8';
  assert.equal((await send(url, json, { 'content-type': type })).status, 200);
});

test('rule 2 comes before the body is looked at', async (t) => {
  const url = await startInMemoryServer(t, { tools, maxBodyBytes: 1024 });
  assert.equal((await send(url, 'x'.repeat(5000), { 'content-type': 'text/plain' })).status, 415);
});

test('rule 2: a body above the limit is 413, whether its length is told or not', async (t) => {
  const url = await startInMemoryServer(t, { tools, maxBodyBytes: 1024 });
  const long = json.padEnd(1025);
  const told = await send(url, long);
  assert.equal(told.status, 413);
  assert.equal(JSON.parse(told.text).error.code, -31413);
  async function* chunks() {
    yield Buffer.from(long.slice(0, 1000));
    yield Buffer.from(long.slice(1000));
  }
  const untold = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Readable.from(chunks()),
  });
  await untold.body.dump();
  assert.equal(untold.statusCode, 413);
  assert.equal((await send(url, json.padEnd(1024))).status, 200);
});

test('rule 2: a client that writes all of a body above the limit before it reads hears of it', async (t) => {
  const { port, hostname } = new URL(await startInMemoryServer(t, { tools, maxBodyBytes: 1024 }));
  const socket = connect(Number(port), hostname);
  const body = Buffer.alloc(32_000_000, ' ');
  const head = `POST /mcp HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const answer = await new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.write(head);
    socket.write(body, (error) => (error ? reject(error) : socket.once('data', resolve)));
  });
  socket.destroy();
  assert.match(String(answer), /^HTTP\/1\.1 413 /);
});

test('rule 2: a body that is no UTF-8 is 400 and -32700, the character U+FFFD is none of that', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const ping = (id: Buffer) =>
    request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","method":"ping","id":"'),
        id,
        Buffer.from('"}'),
      ]),
    });
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe4, 0xbd]]) {
    const { statusCode, body } = await ping(Buffer.from(bytes));
    assert.equal(statusCode, 400);
    assert.match(await body.text(), /-32700/);
  }
  const { statusCode, body } = await ping(Buffer.from('\ufffd'));
  assert.equal(statusCode, 200);
  assert.equal(JSON.parse(await body.text()).id, '\ufffd');
});

for (const batch of [[], [JSON.parse(json)], [JSON.parse(json), 7]]) {
  test(`rule 3: a batch of ${batch.length} is 400 and -32600`, async (t) => {
    const url = await startInMemoryServer(t, { tools });
    const { status, body } = await rpc(url, batch, { 'mcp-protocol-version': '2025-03-26' });
    assert.equal(status, 400);
    assert.equal(body.error?.code, -32600);
    assert.match(body.error.message, /batch/);
  });
}

for (const response of [{ result: {} }, { error: { code: 1, message: 'x' } }]) {
  test(`rule 4: a response with ${Object.keys(response)} is 400 and -32600`, async (t) => {
    const url = await startInMemoryServer(t, { tools });
    const { status, body } = await rpc(url, { jsonrpc: '2.0', id: 1, ...response });
    assert.equal(status, 400);
    assert.equal(body.error?.code, -32600);
  });
}

test('rule 5: a claim in the body makes a request modern, also initialize', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const params = { protocolVersion: '2025-11-25', capabilities: {} };
  const { status, body } = await modern(url, { method: 'initialize', params });
  assert.equal(status, 404);
  assert.equal(body.error?.code, -32601);
});

test('rule 5: a claim of a handshake version is modern and not served', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const version = '2025-11-25';
  const _meta = { 'io.modelcontextprotocol/protocolVersion': version };
  const headers = { 'mcp-protocol-version': version };
  const { status, body } = await modern(url, { method: 'tools/list', _meta }, headers);
  assert.equal(status, 400);
  assert.equal(body.error?.code, -32022);
});

for (const version of [modernVersion, '2027-01-01']) {
  for (const method of ['tools/list', 'initialize']) {
    test(`rule 6: ${method} with only the header ${version} fails the envelope`, async (t) => {
      const url = await startInMemoryServer(t, { tools });
      const { status, body } = await rpc(
        url,
        { jsonrpc: '2.0', id: 1, method, params: {} },
        { 'mcp-protocol-version': version },
      );
      assert.equal(status, 400);
      assert.equal(body.error?.code, -32602);
    });
  }
}

test('rule 7: without a claim a request is of the handshake era', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const { status, body } = await legacy(url, { method: 'ping' });
  assert.equal(status, 200);
  assert.deepEqual(body.result, {});
});

test('rule 7: notifications without a claim are accepted', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const body = { jsonrpc: '2.0', method: 'notifications/initialized' };
  assert.equal((await rpc(url, body, { 'mcp-protocol-version': '2025-06-18' })).status, 202);
});

test('the era belongs to the request, not to the connection', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  for (let round = 0; round < 2; round += 1) {
    assert.equal((await legacy(url, { method: 'ping' })).status, 200);
    assert.equal((await modern(url, { method: 'ping' })).status, 404);
  }
});

test('members called __proto__ and repeated keys do no harm', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const bodies = [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_echo","arguments":{"text":"a","__proto__":{"polluted":1}}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"name":"test_echo","arguments":{"text":"a"}}}}',
    '{"__proto__":{"polluted":1},"jsonrpc":"2.0","id":1,"method":"constructor"}',
  ];
  for (const body of bodies) {
    const { status, text } = await send(url, body);
    assert.equal(status, 200);
    assert.equal('result' in JSON.parse(text) && !JSON.parse(text).result.isError, false);
    assert.equal('polluted' in {}, false);
  }
  const twice = '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping","params":{"name":"a","name":"b"}}';
  assert.equal(JSON.parse((await send(url, twice)).text).id, 2);
});

test('a body that is nested without end does no harm', async (t) => {
  const deep: JsonSchema = {
    type: 'object',
    properties: { list: { $ref: '#/$defs/list' } },
    $defs: { list: { type: 'array', items: { $ref: '#/$defs/list' } } },
  };
  const url = await startInMemoryServer(t, { tools: [toolOf({ name: 'test_deep', input: deep })] });
  const list = '['.repeat(200_000) + ']'.repeat(200_000);
  const params = `{"name":"test_deep","arguments":{"list":${list}}}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
  const { text } = await send(url, body);
  assert.match(text, /nested deeper than 128 levels/);
  assert.equal((await legacy(url, { method: 'ping' })).status, 200);
});
