import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { path } from '#contract/path';
import { isRounded, rememberingJson, writtenIn } from '#contract/text/json-digits';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { legacy } from '../../mcp/rpc.ts';
import { testOutbound, testProvider, testTool } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

/** A number as it is written, which the types of TypeScript do not have yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

const price = '0.1234567890123456789';

const properties = {
  price: { type: 'number' },
  place: { type: 'number', format: 'double' },
  api_key: { type: 'number' },
  rows: { type: 'array', items: { type: 'object', additionalProperties: { type: 'number' } } },
};

async function toolServer(t: TestContext) {
  const { url, seen } = await startUpstream(t, (response) => sendJson(response, { ok: true }));
  const tool = testTool({
    input: { type: 'object', properties },
    request: (args: object) => ({
      method: 'POST',
      path: path`/things`,
      body: { kind: 'json', value: args },
    }),
  });
  const bound = testOutbound(t).tool(testProvider(url), tool);
  const server = await startInMemoryServer(t, { tools: [bound] });
  const call = async (args: object) => {
    const params = { name: tool.name, arguments: args };
    const { body } = await legacy(server, { method: 'tools/call', params });
    const { content, isError } = body.result as { content: { text: string }[]; isError?: boolean };
    return { isError: isError === true, text: content[0]?.text ?? '' };
  };
  return { call, sent: () => seen.map((request) => JSON.parse(request.body)) };
}

test('a fraction that would arrive as another one is refused with its place', async (t) => {
  const { call, sent } = await toolServer(t);
  const rows = [{ a: 1.5 }, { b: rawJSON('12345678901234567.89') }];
  const { text } = await call({ price: rawJSON(price), api_key: rawJSON(price), rows });
  const limit = 'must be a number whose digits every reader of JSON keeps, but';
  const lines = text.split('\n');
  assert.deepEqual(lines.slice(1, 4), [
    `- price: ${limit} ${price} was given, which would arrive as 0.12345678901234568`,
    `- api_key: ${limit} another one was given, which would arrive as rounded`,
    `- rows[1].b: ${limit} 12345678901234567.89 was given, which would arrive as 12345678901234568`,
  ]);
  assert.deepEqual(sent(), []);
});

test('a number that is too small for every reader is refused, as it would be none', async (t) => {
  const { call, sent } = await toolServer(t);
  const { text } = await call({ price: rawJSON('1e-400'), place: rawJSON('0e-400') });
  assert.match(text, /^- price: .* but 1e-400 was given, which would arrive as 0$/m);
  assert.deepEqual(sent(), []);
});

test('what is kept arrives, and so does what says of itself that it is rounded', async (t) => {
  const { call, sent } = await toolServer(t);
  const kept = { price: 0.1 + 0.2, rows: [{ a: 1 / 3, b: 1e300 }] };
  assert.equal((await call({ ...kept, place: rawJSON(price) })).isError, false);
  assert.deepEqual(sent(), [{ ...kept, place: Number(price) }]);
});

test('only fractions that are rounded are remembered', () => {
  const value = rememberingJson(
    `{"a":${price},"b":[0.5,1.00000000000000000001],"c":12345678901234567890}`,
  );
  const { b } = value as { b: object };
  assert.deepEqual([...(writtenIn(value as object) ?? [])], [['a', price]]);
  assert.deepEqual([...(writtenIn(b) ?? [])], [['1', '1.00000000000000000001']]);
  assert.equal(writtenIn(rememberingJson('{"a":0.5}') as object), undefined);
  assert.equal(isRounded('0.30000000000000004', 0.30000000000000004), false);
  assert.equal(isRounded('1.50000000000000000000e0', 1.5), false);
  assert.equal(isRounded('0.0e-400', 0), false);
});
