import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test, { type TestContext } from 'node:test';
import type { EventDelivery } from '#contract/bus/bus';
import { deadLetterStream } from '#contract/bus/dead-letter';
import {
  createConsumers,
  createEvents,
  eventCatalogue,
  eventStreams,
} from '../../generated/events.ts';
import { startBusEngine } from '../../runtime/bus/bus-engine.ts';
import { openStore } from '../runtime/store/replicas.ts';
import { temporaryDirectory } from '../runtime/store/temporary-directory.ts';
import { deadLetters } from './streams.ts';

const streams = [
  ...eventStreams.map((stream) => ({ ...stream, maxBytes: stream.maxBytes.development })),
  deadLetters,
];
const workflow = { workflow_id: 'w1', name: 'triage' };

async function start(t: TestContext, { isShared = false } = {}) {
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  const { bus, stop } = await startBusEngine({
    ...{
      store,
      streams,
      isShared,
      catalogue: eventCatalogue,
      owner: randomUUID(),
      nats: undefined,
    },
    onPublished: () => {},
    onFailure: (message, error) => t.diagnostic(`${message}: ${error}`),
  });
  t.after(stop);
  return { store, bus, events: createEvents(bus) };
}

test('a typed event is a CloudEvent with its trace, and is handled as what it is', async (t) => {
  const { bus, events } = await start(t);
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const receipt = await events.workflow.checkpoint({
    ...{ tenant: 'default', data: { ...workflow, checkpoint: 1 }, subject: 'w1', id: 'one' },
    ...{ correlationId: 'all', causationId: 'before', trace: { traceparent } },
  });
  assert.deepEqual(receipt, { stream: 'SERVICE_WORKFLOW', sequence: 1, duplicate: false });
  await events.workflow.started({ tenant: 'default', data: workflow });
  const handled = Promise.withResolvers<number | undefined>();
  const consume = createConsumers(bus);
  const running = await consume(
    { name: 'test_checkpoints', events: ['workflow.checkpoint', 'workflow.failed'] },
    async (delivery) => {
      if (delivery.name === 'workflow.checkpoint') handled.resolve(delivery.event.data.checkpoint);
    },
  );
  assert.equal(await handled.promise, 1);
  await running.stop();
  const { messages } = await bus.read({ stream: 'SERVICE_WORKFLOW', tenant: 'default', limit: 1 });
  const { source, time, ...event } = messages[0]?.event ?? { source: '' };
  assert.match(source, /^urn:service:./);
  assert.deepEqual(event, {
    ...{ id: 'one', type: 'service.workflow.checkpoint.v1', subject: 'w1', tenant: 'default' },
    ...{ datacontenttype: 'application/json', correlationid: 'all', causationid: 'before' },
    ...{ traceparent, data: { ...workflow, checkpoint: 1 } },
  });
});

test('what is not in the catalogue, or does not fit, is not published', async (t) => {
  const { bus, store } = await start(t);
  const event = { name: 'workflow.failed', tenant: 'default', data: workflow };
  const cases = [
    [{ name: 'workflow.fail' }, /such as workflow.failed/],
    [{ name: 'toString' }, /an event of the catalogue/],
    [{ data: { name: 'x' } }, /: data.workflow_id is missing$/],
    [{ data: { ...workflow, more: 1 } }, /: data.more is none of its members$/],
    [{ data: { ...workflow, checkpoint: -1 } }, /data.checkpoint must be >= 0/],
    [{ tenant: 'acme' }, /tenant must be default, not "acme"/],
    [{ tenant: 'a.>' }, /tenant must be/],
    [{ id: '' }, /id must be/],
  ] as const;
  for (const [wrong, message] of cases) {
    await assert.rejects(bus.publish({ ...event, ...wrong }), { code: 'invalid_params', message });
    const within = store.transaction((tx) => bus.publish(tx, { ...event, ...wrong }));
    await assert.rejects(within, { code: 'invalid_params', message });
  }
  assert.equal(await bus.waiting(), 0);
  const states = await bus.states();
  assert.equal(
    states.reduce((sum, { lastSequence }) => sum + lastSequence, 0),
    0,
  );
});

test('an event is published with its transaction, and not without it', async (t) => {
  const { bus, events, store } = await start(t);
  const undone = store.transaction(async (tx) => {
    await events.agent.claimed.within(tx, { tenant: 'default', data: { agent_id: 'undone' } });
    throw new Error('changed my mind');
  });
  await assert.rejects(undone, /changed my mind/);
  await store.transaction(async (tx) => {
    for (const agent_id of ['1', '2']) {
      await events.agent.claimed.within(tx, { tenant: 'default', data: { agent_id } });
    }
    assert.equal((await bus.read({ stream: 'SERVICE_AGENT', limit: 10 })).messages.length, 0);
  });
  await store.transaction((tx) =>
    events.agent.revoked.within(tx, { tenant: 'default', data: { agent_id: '3' } }),
  );
  const stop = new AbortController();
  const ids: unknown[] = [];
  for await (const { event } of bus.follow({ stream: 'SERVICE_AGENT' }, stop.signal)) {
    ids.push((event.data as { agent_id: string }).agent_id);
    if (ids.length === 3) stop.abort();
  }
  assert.deepEqual(ids, ['1', '2', '3']);
  await bus.drain();
  assert.equal(await bus.waiting(), 0);
});

test('what was left in the outbox after a crash is published once', async (t) => {
  const { bus, events, store } = await start(t);
  const facts = { tenant: 'default', id: 'once', data: { agent_id: '1' } };
  await store.transaction((tx) => events.agent.state.within(tx, facts));
  await bus.drain();
  const [stored] = await store.db.selectFrom('bus_message').selectAll().execute();
  assert.ok(stored);
  // As a relay leaves it that dies between the stream and the outbox, hours ago.
  const hourAgo = Date.now() - 3_600_000;
  await store.db.updateTable('bus_message').set({ stored_at: hourAgo }).execute();
  const { tenant, subject, data, message_id: id } = stored;
  const message = { tenant, subject, data, id, headers: JSON.parse(stored.headers) };
  await store.db
    .insertInto('bus_outbox')
    .values({ tenant, id, position: 1, message: JSON.stringify(message), created_at: hourAgo - 1 })
    .execute();
  await store.transaction((tx) => events.agent.state.within(tx, { ...facts, id: 'next' }));
  await bus.drain();
  const { messages } = await bus.read({ stream: 'SERVICE_AGENT', limit: 10 });
  assert.deepEqual(
    messages.map(({ event }) => event.id),
    ['once', 'next'],
  );
});

test('each tenant reads and replays its own alone', async (t) => {
  const { bus, events } = await start(t, { isShared: true });
  for (const tenant of ['acme', 'globex']) {
    await events.edge.join({ tenant, data: { worker_id: tenant } });
  }
  const running = await bus.consume({ name: 'test_edge', events: ['edge.join'] }, ({ term }) =>
    term(),
  );
  const stop = new AbortController();
  let seen = 0;
  for await (const _ of bus.follow({ stream: deadLetterStream }, stop.signal)) {
    seen += 1;
    if (seen === 2) stop.abort();
  }
  await running.stop();
  const of = async (tenant: string) => (await bus.deadLetters.list({ tenant, limit: 10 })).messages;
  const [letter] = await of('acme');
  assert.ok(letter);
  assert.equal((await of('acme')).length, 1);
  assert.deepEqual(letter.event?.data, { worker_id: 'acme' });
  const missing = { code: 'not_found', status: 404 };
  await assert.rejects(bus.deadLetters.replay('globex', letter.letter), missing);
  await assert.rejects(bus.deadLetters.discard('globex', letter.letter), missing);
  const { sequence } = await bus.deadLetters.replay('acme', letter.letter);
  await assert.rejects(bus.deadLetters.replay('acme', letter.letter), missing);
  const { messages } = await bus.read({
    ...{ stream: 'SERVICE_EDGE', tenant: 'acme', events: ['edge.join'], limit: 10 },
  });
  const [first, again] = messages;
  assert.deepEqual([messages.length, again?.sequence], [2, sequence]);
  assert.equal(again?.event.causationid, first?.event.id);
  assert.notEqual(again?.event.id, first?.event.id);
  const definition = { name: 'STATE', history: 1, maxBytes: 1_000_000 };
  await bus.bucket(definition, 'acme').put('a', '1');
  assert.equal(await bus.bucket(definition, 'globex').get('a'), undefined);
  assert.deepEqual(await bus.bucket(definition, 'acme').keys(), ['a']);
});

test('an event that others have published wrong goes to the dead letters', async (t) => {
  const { bus, store, events } = await start(t);
  await events.edge.status({ tenant: 'default', data: { worker_id: '1' } });
  await store.db.updateTable('bus_message').set({ data: '{"worker_id":7}' }).execute();
  const given: EventDelivery[] = [];
  const running = await bus.consume(
    { name: 'test_edge', events: ['edge.status'] },
    async (delivery) => {
      given.push(delivery);
    },
  );
  const stop = new AbortController();
  for await (const _ of bus.follow({ stream: deadLetterStream }, stop.signal)) break;
  await running.stop();
  const [letter] = (await bus.deadLetters.list({ tenant: 'default', limit: 1 })).messages;
  assert.match(letter?.reason ?? '', /data.worker_id must be string/);
  assert.equal(given.length, 0);
  await bus.deadLetters.discard('default', letter?.letter ?? 0);
  assert.equal((await bus.deadLetters.list({ tenant: 'default', limit: 1 })).messages.length, 0);
});
