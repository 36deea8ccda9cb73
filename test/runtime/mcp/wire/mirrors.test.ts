import assert from 'node:assert/strict';
import test from 'node:test';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { toolOf } from '../../in-memory-tools.ts';
import { legacy, modern } from '../rpc.ts';

// MCP 2026-07-28, server behavior for custom headers, value encoding and server validation.

const mirroring = toolOf({
  name: 'test_mirroring',
  input: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      shard: { type: ['integer', 'null'] },
      place: {
        type: 'object',
        properties: { shard: { type: 'integer', 'x-mcp-header': 'Shard' } },
      },
      urgent: { type: 'boolean', 'x-mcp-header': 'Urgent' },
      note: { type: 'string' },
    },
  },
});

const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

type Case = readonly [args: object, headers: Readonly<Record<string, string>>];

const good: readonly Case[] = [
  [{}, {}],
  [{ note: 'x' }, {}],
  [{ region: 'us-west1' }, { 'mcp-param-region': 'us-west1' }],
  [{ region: 'us-west1' }, { 'MCP-PARAM-REGION': '  us-west1 ' }],
  [{ region: 'us-west1' }, { 'mcp-param-region': base64('us-west1') }],
  [{ region: 'Hello, 世界' }, { 'mcp-param-region': base64('Hello, 世界') }],
  [{ region: ' padded ' }, { 'mcp-param-region': base64(' padded ') }],
  [{ region: 'line1\nline2' }, { 'mcp-param-region': base64('line1\nline2') }],
  [{ region: 'a\tb' }, { 'mcp-param-region': 'a\tb' }],
  [{ region: 'SGVsbG8=' }, { 'mcp-param-region': 'SGVsbG8=' }],
  [{ region: '=?base64?SGVsbG8=' }, { 'mcp-param-region': '=?base64?SGVsbG8=' }],
  [{ region: '=?base64?literal?=' }, { 'mcp-param-region': base64('=?base64?literal?=') }],
  [{ region: '' }, { 'mcp-param-region': '' }],
  [{ place: { shard: 42 } }, { 'mcp-param-shard': '42' }],
  [{ place: { shard: 42 } }, { 'mcp-param-shard': '42.0' }],
  [{ place: { shard: -7 } }, { 'mcp-param-shard': '-7' }],
  [{ place: {} }, {}],
  [{ urgent: true }, { 'mcp-param-urgent': 'true' }],
];
for (const [args, headers] of good) {
  test(`${JSON.stringify(args)} with ${JSON.stringify(headers)} passes`, async (t) => {
    const url = await startInMemoryServer(t, { tools: [mirroring] });
    const call = { method: 'tools/call', params: { name: 'test_mirroring', arguments: args } };
    const { status, body } = await modern(url, call, headers);
    assert.equal(status, 200);
    assert.deepEqual(body.result?.['content'], [{ type: 'text', text: 'done' }]);
  });
}

const bad: readonly Case[] = [
  [{ region: 'us-west1' }, {}],
  [{ region: '' }, {}],
  [{ region: 'us-west1' }, { 'mcp-param-region': 'us-west2' }],
  [{ region: 'us-west1' }, { 'mcp-param-region': 'US-WEST1' }],
  [{ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }],
  [{ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' }],
  [{ region: 'Hello' }, { 'mcp-param-region': '=?BASE64?SGVsbG8=?=' }],
  [{ region: 'é' }, { 'mcp-param-region': '\xe9' }],
  [{ place: { shard: 42 } }, { 'mcp-param-shard': '43' }],
  [{ place: { shard: 42 } }, { 'mcp-param-shard': '0x2a' }],
  [{ place: { shard: 42 } }, { 'mcp-param-shard': '' }],
  [{ urgent: true }, { 'mcp-param-urgent': 'True' }],
  [{ urgent: false }, { 'mcp-param-urgent': '' }],
  [{}, { 'mcp-param-region': 'us-west1' }],
  [{ region: null }, { 'mcp-param-region': 'null' }],
  [{ region: ['a'] }, { 'mcp-param-region': 'a' }],
  [{ note: 'x' }, { 'mcp-param-note': 'x' }],
  [{}, { 'mcp-param-unknown': '' }],
];
for (const [args, headers] of bad) {
  test(`${JSON.stringify(args)} with ${JSON.stringify(headers)} is 400 and -32020`, async (t) => {
    const url = await startInMemoryServer(t, { tools: [mirroring] });
    const call = { method: 'tools/call', params: { name: 'test_mirroring', arguments: args } };
    const { status, body } = await modern(url, call, headers);
    assert.equal(status, 400);
    assert.equal(body.error?.code, -32020);
    assert.equal(body.id, 1);
  });
}

test('clients of the handshake era repeat nothing', async (t) => {
  const url = await startInMemoryServer(t, { tools: [mirroring] });
  const params = { name: 'test_mirroring', arguments: { region: 'us-west1' } };
  const { body } = await legacy(url, { method: 'tools/call', params });
  assert.deepEqual(body.result, { content: [{ type: 'text', text: 'done' }] });
});

test('the mark is in the list, for clients to see', async (t) => {
  const url = await startInMemoryServer(t, { tools: [mirroring] });
  const { body } = await modern(url, { method: 'tools/list' });
  const { tools } = body.result as { tools: { inputSchema: unknown }[] };
  assert.deepEqual(tools[0]?.inputSchema, mirroring.definition.input);
});

test('a tool that marks nothing takes no header for an argument', async (t) => {
  const url = await startInMemoryServer(t, { tools: [toolOf({ name: 'test_plain' })] });
  const call = { method: 'tools/call', params: { name: 'test_plain' } };
  const { status, body } = await modern(url, call, { 'mcp-param-foo': 'x' });
  assert.equal(status, 400);
  assert.equal(body.error?.code, -32020);
  assert.match(body.error.message, /Mcp-Param-foo/);
});
