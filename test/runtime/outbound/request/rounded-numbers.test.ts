import assert from 'node:assert/strict';
import test from 'node:test';
import type { JsonSchema } from '#contract/json';
import { path } from '#contract/path';
import { requireKept } from '../../../../runtime/outbound/request/rounded-numbers.ts';
import { caller, failureOf } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

const whole = { type: 'integer' };
const long = { type: ['integer', 'string'], format: 'int64', pattern: '^-?[1-9]\\d{15,18}$' };
/** What a reader makes of 9007199254740993. */
const rounded = 9007199254740992;

function refusal(properties: JsonSchema, args: object): string | undefined {
  try {
    requireKept('things_get', { type: 'object', properties }, args);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test('a number that may have been rounded is refused, and its place is named', () => {
  const properties = {
    id: whole,
    price: { type: 'number' },
    counts: { type: 'object', additionalProperties: whole },
    rows: { type: 'array', items: { type: 'object', properties: { ids: { items: whole } } } },
    free: {},
  };
  const limit = 'must be a whole number of at most 15 digits';
  const given = `but ${rounded} was given, which may have been rounded on its way`;
  const args = {
    id: rounded,
    price: rounded,
    counts: { 'a b': rounded },
    rows: [{ ids: [1, rounded] }],
    free: { x: -rounded },
    other: rounded,
  };
  assert.deepEqual(refusal(properties, args)?.split('\n'), [
    'Invalid arguments for things_get:',
    `- id: ${limit}, ${given}`,
    `- price: ${limit}, ${given}`,
    `- other: ${limit}, ${given}`,
    `- counts.a b: ${limit}, ${given}`,
    `- free.x: ${limit}, ${given.replace('but ', 'but -')}`,
    `- rows[0].ids[1]: ${limit}, ${given}`,
  ]);
});

test('where digits are taken as text, the refusal says so', () => {
  const properties = { id: long, filter: { type: 'object', properties: { id: long } } };
  const text = ', or the digits of a longer one as text, but 1000000000000000000 was given';
  assert.match(refusal(properties, { id: 1e18 }) ?? '', new RegExp(`id: .*15 digits${text}`));
  const nested = refusal(properties, { filter: { id: 1e18 } }) ?? '';
  assert.match(nested, new RegExp(`- filter\\.id: .*15 digits${text}`));
});

test('what every reader keeps goes on', () => {
  const float = { type: 'number', format: 'double' };
  const properties = { at: whole, size: { type: 'number' }, mass: float, digits: long };
  const args = {
    at: 1_700_000_000_000_000_000,
    size: 1e300,
    mass: rounded * 1e9,
    digits: '9007199254740993',
    least: Number.MIN_SAFE_INTEGER,
    ratio: 0.1 + 0.2,
  };
  assert.equal(refusal(properties, args), undefined);
});

test('of an id, rounding may have left few digits', () => {
  for (const name of ['id', 'user_ids', 'userId', 'accountIDs', 'order-id']) {
    assert.match(refusal({}, { [name]: [1e18] }) ?? '', /but 1000000000000000000 was given/);
  }
  for (const name of ['paid', 'grid', 'valid', 'at']) {
    assert.equal(refusal({}, { [name]: 1e18 }), undefined);
  }
});

test('of a secret that is a number, no digit is repeated', () => {
  const text = refusal({}, { password: rounded }) ?? '';
  assert.match(text, /password: .* but a longer one was given/);
});

test('of many, the first are told', () => {
  const lines = refusal({}, { ids: Array.from({ length: 30 }, () => rounded) })?.split('\n') ?? [];
  assert.equal(lines.length, 12);
  assert.equal(lines.at(-1), '- and 20 more');
});

test('nothing is sent with such a number', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const request = ({ id }: { id: number }) => ({ method: 'DELETE', path: path`/things/${id}` });
  const tool = { request: request as never, input: { type: 'object', properties: { id: whole } } };
  const { call } = caller(t, upstream.url, { tool });
  const { code } = await failureOf(call({ id: rounded }));
  assert.equal(code, 'invalid_arguments');
  assert.deepEqual(upstream.seen, []);
});
