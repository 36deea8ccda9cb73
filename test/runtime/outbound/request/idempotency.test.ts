import assert from 'node:assert/strict';
import test from 'node:test';
import { path } from '#contract/path';
import { form, graphql, json } from '#contract/request';
import { idempotencyKey } from '../../../../runtime/outbound/request/idempotency.ts';
import { callContext, caller, failureOf, stillClock, write } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

test('a write with a key is tried again with the same key', async (t) => {
  const upstream = await startUpstream(t, (response, _, count) =>
    count < 3 ? sendJson(response, {}, 503) : sendJson(response, { id: 1 }),
  );
  const { call } = caller(t, upstream.url, {
    tool: { ...write, vendorKey: { in: 'header', name: 'Idempotency-Key' } },
    options: { clock: stillClock() },
  });
  await call({}, callContext({ callId: 'one' }));
  await call({}, callContext({ callId: 'two' }));
  const keys = upstream.seen.map(({ headers }) => headers['idempotency-key']);
  assert.equal(keys.length, 4);
  assert.equal(new Set(keys.slice(0, 3)).size, 1);
  assert.notEqual(keys[0], keys[3]);
});

test('a key that only names a request is sent, and makes no repetition harmless', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}, 504));
  const { call } = caller(t, upstream.url, {
    tool: { ...write, vendorKey: { in: 'header', name: 'X-Request-ID', onlyNames: true } },
    options: { clock: stillClock() },
  });
  await failureOf(call({}, callContext({ callId: 'one' })));
  assert.equal(upstream.seen.length, 1);
  assert.match(String(upstream.seen[0]?.headers['x-request-id']), /^[0-9a-f-]{36}$/);
});

test('all headers that name one request hold the same, beside a key in the body too', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const also = ['X-Request-ID', 'X-Correlation-ID'];
  const { call } = caller(t, upstream.url, {
    tool: { ...write, vendorKey: { in: 'body', name: 'key', also } },
    options: { clock: stillClock() },
  });
  await call({}, callContext({ callId: 'one' }));
  const [seen] = upstream.seen;
  const { key } = JSON.parse(seen?.body ?? '{}');
  assert.match(String(key), /^[0-9a-f-]{36}$/);
  assert.equal(seen?.headers['x-request-id'], key);
  assert.equal(seen?.headers['x-correlation-id'], key);
});

for (const [what, status, retryable] of [
  ['that may have been done', 504, false],
  ['that was not done', 429, true],
] as const) {
  test(`a caller is told whether to call again, for another call has another key: ${what}`, async (t) => {
    const upstream = await startUpstream(t, (response) => sendJson(response, {}, status));
    const { call } = caller(t, upstream.url, {
      tool: { ...write, vendorKey: { in: 'header', name: 'Idempotency-Key' } },
      options: { clock: stillClock() },
    });
    const told = (actId?: string) =>
      failureOf(call({}, callContext(actId === undefined ? {} : { actId })));
    assert.equal((await told()).detail.retryable, retryable);
    assert.equal(upstream.seen.length, 4);
    // What somebody has approved keeps its key until it is done.
    assert.equal((await told('act-1')).detail.retryable, true);
  });
}

test('the key is a UUID of version 8 and differs per tool', () => {
  const key = idempotencyKey('a', 'call');
  assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(idempotencyKey('a', 'call'), key);
  assert.notEqual(idempotencyKey('b', 'call'), key);
});

const bodies = [
  ['a JSON body', 'key', json({ a: 1 }), (text: string) => JSON.parse(text).key],
  ['no body', 'key', undefined, (text: string) => JSON.parse(text).key],
  ['a form', 'key', form({ a: 1 }), (text: string) => new URLSearchParams(text).get('key')],
  [
    'GraphQL variables',
    'variables.input.id',
    graphql('mutation', { input: { title: 't' } }),
    (text: string) => {
      const { variables } = JSON.parse(text);
      assert.equal(variables.input.title, 't');
      return variables.input.id;
    },
  ],
] as const;

for (const [name, field, body, read] of bodies) {
  test(`the key goes into ${name}`, async (t) => {
    const upstream = await startUpstream(t, (response) => sendJson(response, {}));
    const request = () => ({ method: 'POST', path: path`/things`, body });
    const vendorKey = { in: 'body', name: field } as const;
    await caller(t, upstream.url, { tool: { ...write, request, vendorKey } }).call();
    assert.equal(read(upstream.seen[0]?.body ?? ''), idempotencyKey('acme_things_list', 'call-1'));
  });
}

test('a key that the caller gives stays', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const request = () => ({
    method: 'POST',
    path: path`/things`,
    headers: { 'Idempotency-Key': 'mine', other: undefined },
  });
  const vendorKey = { in: 'header', name: 'Idempotency-Key' } as const;
  await caller(t, upstream.url, { tool: { ...write, request, vendorKey } }).call();
  assert.equal(upstream.seen[0]?.headers['idempotency-key'], 'mine');
});
