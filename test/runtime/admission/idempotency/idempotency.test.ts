import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Caller } from '#contract/caller';
import { InputRequired } from '#contract/client';
import { ServiceError, ToolError } from '#contract/errors';
import type { RouteHandler } from '#contract/surface/route';
import { toolOf } from '../../in-memory-tools.ts';
import { modern } from '../../mcp/rpc.ts';
import { sqliteDatabase } from '../../store/replicas.ts';
import { type KeyedServerOptions, startKeyed } from './keyed-server.ts';

async function start(t: TestContext, options: Omit<KeyedServerOptions, 'store'> = {}) {
  const [store] = await (await sqliteDatabase(t)).replicas(1);
  assert.ok(store);
  return { store, ...(await startKeyed(t, { store, ...options })) };
}

/** Counts how often it was done. */
function counting(status = 201): { readonly handle: RouteHandler; readonly done: unknown[] } {
  const done: unknown[] = [];
  const handle: RouteHandler = async ({ body }) => {
    done.push(body);
    return { status, headers: { location: `/payments/${done.length}` }, body: { n: done.length } };
  };
  return { handle, done };
}

test('what comes twice with one key is done once, and answered the same', async (t) => {
  const { handle, done } = counting();
  const { send } = await start(t, { handle });
  const first = await send('"8e03978e-40d5-43dd-bc93-6894a57f9324"', { a: 1, b: [2] });
  assert.deepEqual([first.status, first.json], [201, { n: 1 }]);
  // The order of members is no other argument, and the quotes are no part of the key.
  const again = await send('8e03978e-40d5-43dd-bc93-6894a57f9324', { b: [2], a: 1 });
  assert.deepEqual([again.status, again.json], [201, { n: 1 }]);
  assert.equal(again.headers['location'], '/payments/1');
  assert.equal((await send('another', { a: 1, b: [2] })).json.n, 2);
  assert.equal(done.length, 2);
});

test('no key is 400 where one is required, and so is what is none', async (t) => {
  const { handle, done } = counting();
  const { send } = await start(t, { handle });
  for (const [key, code] of [
    [undefined, 'idempotency_key_required'],
    ['', 'idempotency_key_invalid'],
    ['""', 'idempotency_key_invalid'],
    ['x'.repeat(256), 'idempotency_key_invalid'],
  ] as const) {
    const { status, json } = await send(key);
    assert.deepEqual([status, json.code], [400, code], String(key));
  }
  assert.equal(done.length, 0);
  const optional = await start(t, { handle, route: { idempotency: 'optional' } });
  await optional.send(undefined);
  await optional.send(undefined);
  assert.equal(done.length, 2);
});

test('a key that comes with other arguments is 422', async (t) => {
  const { handle, done } = counting();
  const { send } = await start(t, { handle });
  await send('k', { amount: 1 });
  const { status, json } = await send('k', { amount: 2 });
  assert.deepEqual([status, json.code], [422, 'idempotency_conflict']);
  assert.equal(done.length, 1);
});

test('while the first runs, the second is 409, also while its client has left', async (t) => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  let count = 0;
  const handle: RouteHandler = async () => {
    count += 1;
    begun.resolve();
    await end.promise;
    return { status: 201, body: { count } };
  };
  const { send } = await start(t, { handle });
  const first = send('k');
  await begun.promise;
  const second = await send('k');
  assert.deepEqual([second.status, second.json.code], [409, 'idempotency_in_flight']);
  assert.equal(second.headers['retry-after'], '1');
  end.resolve();
  assert.equal((await first).status, 201);
  assert.deepEqual((await send('k')).json, { count: 1 });
});

test('of many that come at once, one is done', async (t) => {
  const { handle, done } = counting();
  const { send } = await start(t, { handle });
  const answers = await Promise.all(Array.from({ length: 20 }, () => send('k', { a: 1 })));
  assert.equal(done.length, 1);
  for (const { status } of answers) assert.ok(status === 201 || status === 409, String(status));
});

test('a key belongs to its caller', async (t) => {
  const { handle, done } = counting();
  let caller: Partial<Caller> = {};
  const { send } = await start(t, { handle, caller: () => caller });
  await send('k');
  for (const other of [{ subject: 'other' }, { tenant: 'other' }]) {
    caller = other;
    await send('k');
  }
  assert.equal(done.length, 3);
});

test('a failure is remembered, with what it says of itself', async (t) => {
  let count = 0;
  const failures = [
    new ServiceError('declined', 409, 'the card was declined', { detail: { reason: 'x' } }),
    new ToolError('upstream_error', 'the vendor failed'),
    new Error('secret'),
  ];
  const handle: RouteHandler = async ({ body }) => {
    count += 1;
    throw failures[(body as { which: number }).which];
  };
  const { send } = await start(t, { handle });
  for (const [which, status, code] of [
    [0, 409, 'declined'],
    [1, 502, 'upstream_error'],
  ] as const) {
    const key = `k${which}`;
    for (const round of [1, 2]) {
      const { status: answered, json } = await send(key, { which });
      assert.deepEqual([answered, json.code], [status, code], `round ${round}`);
      if (which === 0) assert.equal(json.reason, 'x');
    }
  }
  assert.equal((await send('k2', { which: 2 })).status, 500);
  const again = await send('k2', { which: 2 });
  assert.deepEqual([again.status, again.json.code], [409, 'outcome_unknown']);
  assert.doesNotMatch(again.text, /secret/);
  assert.equal(count, 3);
});

test('what was not begun may come again with the same key', async (t) => {
  const errors: Error[] = [
    new ServiceError('payment_required', 402, 'pay first'),
    new ToolError('rate_limited', 'later'),
    new InputRequired({}),
  ];
  let count = 0;
  const handle: RouteHandler = async () => {
    const error = errors.shift();
    if (error) throw error;
    count += 1;
    return { status: 201, body: { count } };
  };
  const { send } = await start(t, { handle });
  while (errors.length > 0) await send('k');
  assert.deepEqual((await send('k')).json, { count: 1 });
  assert.deepEqual((await send('k')).json, { count: 1 });
});

test('one that never tells its end is not done again, and nobody pretends to know', async (t) => {
  let now = Date.now();
  let count = 0;
  const begun = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  const handle: RouteHandler = async () => {
    count += 1;
    begun.resolve();
    return never;
  };
  const { send, url } = await start(t, { handle, now: () => now });
  const leaving = new AbortController();
  const lost = fetch(new URL('/pay', url), {
    ...{ method: 'POST', body: '{}', signal: leaving.signal },
    headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
  });
  await begun.promise;
  leaving.abort();
  await assert.rejects(lost);
  assert.equal((await send('k')).json.code, 'idempotency_in_flight');
  now += 10_001;
  const { status, json } = await send('k');
  assert.deepEqual([status, json.code], [409, 'outcome_unknown']);
  assert.equal(count, 1);
});

test('a long answer is not kept, and bytes are', async (t) => {
  const long: RouteHandler = async () => ({ status: 201, body: { text: 'x'.repeat(300_000) } });
  const { send } = await start(t, { handle: long });
  assert.equal((await send('k')).status, 201);
  const again = await send('k');
  assert.deepEqual([again.status, again.json.code], [409, 'answer_not_kept']);
  const bytes: RouteHandler = async () => ({ status: 200, body: new Uint8Array([1, 2, 255]) });
  const other = await start(t, { handle: bytes });
  const [first, second] = [await other.send('k'), await other.send('k')];
  assert.equal(second.status, 200);
  assert.equal(second.text, first.text);
});

test('nothing of a key or its arguments is stored, only their hashes', async (t) => {
  const { send, store } = await start(t, { handle: counting().handle });
  await send('my-secret-key', { password: 'my-secret-argument' });
  const rows = await store.db.selectFrom('idempotency_key').selectAll().execute();
  assert.equal(rows.length, 1);
  assert.doesNotMatch(JSON.stringify(rows), /my-secret/);
});

const meta = 'dev.agent-tool-server/idempotency-key';

test('a tool takes its key in _meta', async (t) => {
  const done: unknown[] = [];
  const definition = { name: 'pay_bill', idempotency: 'required' } as const;
  const paying = toolOf(definition, async (args) => {
    done.push(args);
    return { content: [{ type: 'text', text: `paid ${done.length}` }] };
  });
  const { url } = await start(t, { tools: [paying] });
  const call = async (key?: unknown) => {
    const params = { name: 'pay_bill', arguments: {} };
    const _meta = key === undefined ? {} : { [meta]: key };
    const { result } = (await modern(url, { method: 'tools/call', params, _meta })).body;
    return JSON.stringify(result);
  };
  assert.match(await call(), /needs an idempotency key/);
  assert.match(await call(7), /must be 1 to 255/);
  assert.match(await call('k'), /paid 1/);
  assert.match(await call('k'), /paid 1/);
  assert.match(await call('l'), /paid 2/);
  assert.equal(done.length, 2);
});
