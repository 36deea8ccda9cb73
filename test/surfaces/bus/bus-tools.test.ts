import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { CallContext } from '#contract/caller';
import type { ServiceError } from '#contract/errors';
import { createBusHandlers } from '../../../runtime/surfaces/bus/handlers.ts';
import { surface } from '../../../runtime/surfaces/bus/index.ts';
import { disguisedNumbers } from '../../../runtime/surfaces/bus/place-numbers.ts';
import { startBus } from '../../bus/running-bus.ts';
import { startInMemoryServer } from '../../runtime/in-memory-server.ts';
import { callTool } from '../search/search-server.ts';

const document = { document_id: 'w1' };

const keys = () => Buffer.alloc(32, 7);

async function start(t: TestContext, isShared = false) {
  const running = await startBus(t, { isShared });
  const { tools, routes, metrics } = await surface.create({ bus: running.bus, keys }, {});
  const url = await startInMemoryServer(t, { tools: tools ?? [], routes: routes ?? [] });
  const call = async (name: string, args: object) => {
    const { structuredContent, isError } = await callTool(url, name, args);
    return { ...structuredContent, ...(isError && { isError }) } as Record<string, unknown>;
  };
  return { ...running, url, call, metrics: metrics ?? [] };
}

function callOf(tenant: string): CallContext {
  return {
    caller: { tenant, subject: 'a', client: 'a', scopes: 'all', transport: 'http' },
    signal: new AbortController().signal,
    client: { capabilities: {} },
    answers: { responses: {}, round: 0 },
    callId: '1',
  };
}

test('what an agent publishes it reads back, page by page', async (t) => {
  const { call } = await start(t);
  const place = { stream: 'SERVICE_DOCUMENT', duplicate: false };
  const more = { subject: 'w1', correlation_id: 'all', causation_id: 'before' };
  const first = await call('bus_publish', {
    ...{ event: 'document.received', data: document, id: 'one', ...more },
  });
  assert.deepEqual(first, { ...place, sequence: 1 });
  const again = await call('bus_publish', {
    event: 'document.received',
    data: document,
    id: 'one',
  });
  assert.deepEqual(again, { ...place, sequence: 1, duplicate: true });
  await call('bus_publish', { event: 'document.failed', data: document });
  const page = await call('bus_read', { stream: 'SERVICE_DOCUMENT', limit: 1 });
  assert.deepEqual([page['next'], page['last_sequence']], [2, 2]);
  const [event] = page['events'] as Record<string, unknown>[];
  const { stored_at: at, source, ...shown } = event ?? {};
  assert.ok(Math.abs(Date.parse(String(at)) - Date.now()) < 3_600_000);
  assert.match(String(source), /^urn:service:[^:]+:agent:[^:]+$/);
  assert.deepEqual(shown, {
    ...{ sequence: 1, id: 'one', type: 'service.document.received.v1', data: document },
    ...{ name: 'document.received', ...more },
  });
  const failed = await call('bus_read', {
    ...{ stream: 'SERVICE_DOCUMENT', events: ['document.failed'], from_sequence: 1 },
  });
  assert.equal((failed['events'] as object[]).length, 1);
  const later = await call('bus_read', {
    ...{ stream: 'SERVICE_DOCUMENT', from_time: new Date(Date.now() + 3_600_000).toISOString() },
  });
  assert.deepEqual(later['events'], []);
  // A minute of 61 seconds (RFC 3339 section 5.6), and one that never was.
  const leap = { stream: 'SERVICE_DOCUMENT', from_time: '2016-12-31T23:59:60Z' };
  assert.equal(((await call('bus_read', leap))['events'] as object[]).length, 2);
  const wrong = await call('bus_read', { ...leap, from_time: '2026-02-30T00:00:00Z' });
  assert.match(JSON.stringify(wrong), /from_time: must be a valid date-time/);
});

test('what cannot be published is refused with what is wrong, and nothing is stored', async (t) => {
  const { call, bus } = await start(t);
  const cases = [
    [{ event: 'document.receive', data: document }, /such as document.received/],
    [{ event: 'document.*', data: document }, /an event of the catalogue/],
    [{ event: 'document.received', data: { pages: 1 } }, /data.document_id is missing/],
    [{ event: 'document.received', data: { ...document, more: 1 } }, /data.more is none/],
    [
      { event: 'document.received', data: { ...document, reason: 'x'.repeat(300_000) } },
      /data.reason/,
    ],
    [{ event: 'document.received', data: document, expected_last_sequence: 7 }, /"conflict"/],
    [{ event: 'document.received', data: 'text' }, /data/],
    [
      {
        event: 'edge.assigned',
        data: { task_id: 'a', kind: 'b', input: { a: 'a'.repeat(270_000) } },
      },
      /may have 262144 bytes, .*"upstream_code":"bus_payload_too_large"/,
    ],
    [{ event: 'document.received', data: document, id: '' }, /id/],
    [
      { event: 'document.received', data: document, id: 'a\nb' },
      /id must be printable ASCII \(U\+0020 to U\+007E\) without spaces around it, not/,
    ],
    [{ event: 'document.received', data: document, id: ' a' }, /id must be printable ASCII/],
    [{ event: 'document.received', data: document, id: 'ä' }, /id must be printable ASCII/],
    [
      { event: 'edge.assigned', data: { task_id: 'a\nb', kind: 'paint' } },
      /data.task_id must match pattern/,
    ],
    [
      { event: 'edge.assigned', data: { task_id: 'a', kind: 'paint', worker_id: 'lab.>' } },
      /data.worker_id must match pattern/,
    ],
    [
      { event: 'identity.tenant_revoked', data: { subject: 'acme', by: 'operator' } },
      /event must be one that agents may publish \(only the server publishes it\), not/,
    ],
    [{ event: 'identity.key_rotated', data: { subject: 'k', by: 'k' } }, /only the server/],
    [{ event: 'agent.revoked', data: { agent_id: 'a' } }, /only the server/],
    [
      { event: 'workflow.completed', data: { workflow_id: 'w', name: 'w' } },
      /only the server publishes it/,
    ],
  ] as const;
  for (const [args, pattern] of cases) {
    const answer = await call('bus_publish', args);
    assert.equal(answer['isError'], true, JSON.stringify(args).slice(0, 200));
    assert.match(JSON.stringify(answer), pattern);
  }
  for (const args of [
    { stream: 'SERVICE_NONE' },
    { stream: 'KV_SERVICE_STATE' },
    { stream: 'SERVICE_DOCUMENT', events: ['edge.>'] },
    { stream: 'SERVICE_DOCUMENT', limit: 0 },
  ]) {
    assert.equal((await call('bus_read', args))['isError'], true, JSON.stringify(args));
  }
  const states = await bus.states();
  assert.ok(states.every(({ lastSequence }) => lastSequence === 0));
});

test('dead letters are listed, published again once, and discarded', async (t) => {
  const { call, bus, events } = await start(t);
  for (const worker_id of ['1', '2']) {
    await events.edge.join({ tenant: 'default', data: { worker_id } });
  }
  const buried = Promise.withResolvers<void>();
  let count = 0;
  const consumer = { name: 'test_edge', events: ['edge.join'] };
  const running = await bus.consume(consumer, async ({ term }) => {
    await term('no such worker');
    if (++count === 2) buried.resolve();
  });
  await buried.promise;
  await running.stop();
  const list = async () => {
    const { letters } = await call('bus_dead_letters', { operation: 'list' });
    return letters as readonly Record<string, unknown>[];
  };
  const [first, second] = await list();
  const { stored_at: _, letter, ...facts } = first ?? {};
  assert.deepEqual(facts, {
    ...{ stream: 'SERVICE_EDGE', sequence: 1, consumer: 'test_edge', deliveries: 1 },
    ...{ reason: 'no such worker', type: 'service.edge.join.v1', data: { worker_id: '1' } },
  });
  const replayed = await call('bus_dead_letters', { operation: 'replay', letter });
  assert.deepEqual(replayed, {
    replayed: { stream: 'SERVICE_EDGE', sequence: 3, duplicate: false },
  });
  const discard = { operation: 'discard', letter: second?.['letter'] };
  assert.deepEqual(await call('bus_dead_letters', discard), { discarded: discard.letter });
  assert.deepEqual(await list(), []);
  // What was never there, or is gone.
  for (const operation of ['replay', 'discard']) {
    for (const gone of [letter, 999]) {
      const answer = await call('bus_dead_letters', { operation, letter: gone });
      assert.match(JSON.stringify(answer), /"not_found"/);
    }
    const answer = await call('bus_dead_letters', { operation });
    assert.match(JSON.stringify(answer), /letter is missing/);
  }
});

test('streams and their consumers are counted, for tools and for metrics', async (t) => {
  const { call, events, metrics } = await start(t);
  await events.edge.join({ tenant: 'default', data: { worker_id: '1' } });
  const { state, streams } = await call('bus_streams', {});
  assert.equal(state, 'ok');
  const edge = (streams as readonly Record<string, unknown>[]).find(
    ({ name }) => name === 'SERVICE_EDGE',
  );
  const { bytes, ...counted } = edge ?? {};
  assert.ok(Number(bytes) > 100);
  assert.deepEqual(counted, {
    ...{ name: 'SERVICE_EDGE', messages: 1, first_sequence: 1, last_sequence: 1, consumers: [] },
  });
  const values = await Promise.all(
    metrics.map(async ({ name, read }) => [name, await read()] as const),
  );
  const found = Object.fromEntries(values);
  assert.deepEqual([found['bus_outbox_messages'], found['bus_stream_messages']], [0, 1]);
  assert.equal(found['bus_stream_bytes'], bytes);
});

test('a tenant sees and touches nothing of another one', async (t) => {
  const { bus, events } = await start(t, true);
  for (const tenant of ['acme', 'globex']) {
    await events.edge.join({ tenant, data: { worker_id: tenant } });
  }
  const handlers = createBusHandlers(bus, (tenant, stream) =>
    disguisedNumbers(keys(), tenant, stream),
  );
  const page = await handlers.busRead({ stream: 'SERVICE_EDGE' }, callOf('acme'));
  assert.deepEqual(
    page.events.map(({ data }) => data),
    [{ worker_id: 'acme' }],
  );
  await assert.rejects(async () => handlers.busStreams({}, callOf('acme')), { code: 'forbidden' });
  // Neither loses an event to an id of the other, nor learns of it.
  for (const tenant of ['acme', 'globex']) {
    const event = { event: 'edge.join', data: { worker_id: tenant }, id: 'same' };
    const { duplicate } = await handlers.busPublish(event, callOf(tenant));
    assert.equal(duplicate, false, tenant);
  }
  // Nobody names a tenant: it is the caller's, whatever the event says.
  await handlers.busPublish({ event: 'edge.leave', data: { worker_id: 'x' } }, callOf('acme'));
  const { messages } = await bus.read({ stream: 'SERVICE_EDGE', events: ['edge.leave'], limit: 9 });
  assert.deepEqual(
    messages.map(({ event }) => event.tenant),
    ['acme'],
  );
  for (const tenant of ['acme.edge', 'globex.>', '*', '']) {
    const foreign = bus.publish({ name: 'edge.leave', tenant, data: { worker_id: 'x' } });
    await assert.rejects(foreign, { code: 'invalid_params', message: /tenant must be/ });
  }
});

test('a tenant learns from no number how much the others do', async (t) => {
  const { bus, events } = await start(t, true);
  const handlers = createBusHandlers(bus, (tenant, stream) =>
    disguisedNumbers(keys(), tenant, stream),
  );
  const context = callOf('acme');
  const publish = (worker_id: string, more: object = {}) =>
    handlers.busPublish({ event: 'edge.join', data: { worker_id }, ...more }, context);
  const others = async (count: number) => {
    for (let index = 0; index < count; index++) {
      await events.edge.join({ tenant: 'globex', data: { worker_id: 'other' } });
    }
  };
  const first = await publish('1', { expected_last_sequence: 0 });
  await others(3);
  const second = await publish('2', { expected_last_sequence: first.sequence });
  await others(2);
  // The two are 1 and 5, and say nothing of it.
  const differences = [first, second].map(({ sequence }) => sequence);
  assert.ok(differences.every((each) => Number.isSafeInteger(each) && each > 1_000_000));
  const stale = publish('3', { expected_last_sequence: first.sequence });
  await assert.rejects(stale, (error: ServiceError) => {
    assert.deepEqual(error.detail['expected'], first.sequence);
    assert.deepEqual(error.detail['found'], second.sequence);
    return error.message.includes(`is at ${second.sequence}, and ${first.sequence} was expected`);
  });
  const stream = 'SERVICE_EDGE';
  const page = await handlers.busRead({ stream, limit: 1 }, context);
  assert.deepEqual(
    [page.events[0]?.sequence, page.last_sequence],
    [first.sequence, first.sequence],
  );
  const next = await handlers.busRead({ stream, from_sequence: page.next ?? 0 }, context);
  assert.deepEqual([next.events[0]?.sequence, next.next], [second.sequence, undefined]);
  await others(1);
  const after = await handlers.busRead({ stream, from_sequence: 1 }, context);
  assert.deepEqual([after.events.length, after.last_sequence], [2, second.sequence]);
  const madeUp = handlers.busRead({ stream, from_sequence: first.sequence + 1 }, context);
  await assert.rejects(madeUp, { code: 'invalid_params', message: /has given/ });
  // The same place has another number for another tenant, and in another stream.
  const numbers = [
    ['acme', stream],
    ['globex', stream],
    ['acme', 'SERVICE_DLQ'],
  ].map(([tenant = '', name = '']) => disguisedNumbers(keys(), tenant, name).told(1));
  assert.equal(new Set(numbers).size, 3);
});

test('what is said of dead letters to a tenant counts those of no other', async (t) => {
  const { bus, events } = await start(t, true);
  const handlers = createBusHandlers(bus, (tenant, stream) =>
    disguisedNumbers(keys(), tenant, stream),
  );
  for (const tenant of ['globex', 'globex', 'acme']) {
    await events.edge.join({ tenant, data: { worker_id: tenant } });
  }
  let buried = 0;
  const all = Promise.withResolvers<void>();
  const running = await bus.consume({ name: 'test', events: ['edge.join'] }, async ({ term }) => {
    await term('no such worker');
    if (++buried === 3) all.resolve();
  });
  await all.promise;
  await running.stop();
  const context = callOf('acme');
  const { letters = [] } = await handlers.busDeadLetters({ operation: 'list' }, context);
  const [{ letter, sequence } = { letter: 0, sequence: 0 }, ...more] = letters;
  assert.equal(more.length, 0);
  assert.ok(letter > 1_000_000 && sequence > 1_000_000 && letter !== sequence);
  const { replayed } = await handlers.busDeadLetters({ operation: 'replay', letter }, context);
  assert.ok((replayed?.sequence ?? 0) > 1_000_000);
  const { events: read } = await handlers.busRead({ stream: 'SERVICE_EDGE' }, context);
  // Its id is no place to count either.
  assert.doesNotMatch(read.at(-1)?.id ?? '', /\.3\.replay/);
  const gone = handlers.busDeadLetters({ operation: 'discard', letter }, context);
  await assert.rejects(gone, { code: 'not_found', message: `there is no dead letter ${letter}` });
});

test('places are told as a permutation, and understood again', () => {
  for (const tenant of ['acme', 'globex']) {
    const numbers = disguisedNumbers(keys(), tenant, 'SERVICE_EDGE');
    const places = [0, 1, 2, 3, 4, 1000, 2 ** 32, 2 ** 40 - 3];
    const told = places.map(numbers.told);
    assert.equal(new Set(told).size, places.length);
    assert.equal(told[0], 0);
    assert.deepEqual(
      told.map((each) => numbers.meant('from_sequence', each)),
      places,
    );
    // The beginning is 1 for everybody.
    assert.equal(numbers.meant('from_sequence', 1), 1);
    for (const wrong of [2 ** 52, Number.MAX_SAFE_INTEGER]) {
      assert.throws(() => numbers.meant('from_sequence', wrong), { code: 'invalid_params' });
    }
  }
});

test('the document of the events is served to everybody', async (t) => {
  const { url } = await start(t);
  const headers = { origin: 'https://elsewhere.example' };
  const answer = await fetch(new URL('/asyncapi.json', url), { headers });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  const { asyncapi, channels } = (await answer.json()) as Record<string, object>;
  assert.equal(String(asyncapi), '3.1.0');
  assert.ok('workflow' in (channels ?? {}));
});
