import assert from 'node:assert/strict';
import test from 'node:test';
import type { EventDelivery } from '#contract/bus/bus';
import { deadLetterStream } from '#contract/bus/dead-letter';
import { createConsumers } from '../../generated/events.ts';
import { startBus } from './running-bus.ts';

const workflow = { workflow_id: 'w1', name: 'triage' };

test('a typed event is a CloudEvent with its trace, and is handled as what it is', async (t) => {
  const { bus, events } = await startBus(t);
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

test('an event says where the schema of its data is, where the server has an address', async (t) => {
  const documentUrl = 'https://tools.example/asyncapi.json';
  const { bus, events } = await startBus(t, { documentUrl });
  await events.workflow.started({ tenant: 'default', data: workflow });
  const { messages } = await bus.read({ stream: 'SERVICE_WORKFLOW', limit: 1 });
  const { dataschema = '' } = messages[0]?.event ?? {};
  assert.equal(dataschema, `${documentUrl}#/components/schemas/WorkflowEvent`);
});

test('what is not in the catalogue, or does not fit, is not published', async (t) => {
  const { bus, store } = await startBus(t);
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
  const { bus, events, store } = await startBus(t);
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
  const { bus, events, store } = await startBus(t);
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
  const { bus, events } = await startBus(t, { isShared: true });
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

test('what is no CloudEvent goes to the dead letters, and holds up nothing behind it', async (t) => {
  const { bus, store, events } = await startBus(t);
  const wrong = [
    { headers: { 'ce-specversion': '0.3', 'ce-id': '1', 'ce-source': 'a', 'ce-type': 'b' } },
    { headers: { 'ce-specversion': '1.0', 'ce-source': 'a', 'ce-type': 'b' } },
    { headers: { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-type': 'b' } },
    { headers: { 'content-type': 'application/cloudevents+json' }, data: '{"specversion":"1.0"' },
    { headers: { 'content-type': 'application/cloudevents+json' }, data: '[]' },
    { headers: {}, data: 'no JSON' },
  ];
  for (const [index, { headers, data = '{}' }] of wrong.entries()) {
    await events.edge.status({ tenant: 'default', data: { worker_id: String(index) } });
    await store.db
      .updateTable('bus_message')
      .set({ headers: JSON.stringify(headers), data })
      .where('tenant', '=', 'default')
      .where('sequence', '=', index + 1)
      .execute();
  }
  await events.edge.status({ tenant: 'default', data: { worker_id: 'good' } });
  const handled = Promise.withResolvers<unknown>();
  const running = await bus.consume(
    { name: 'test_edge', events: ['edge.status'] },
    async ({ event }) => handled.resolve(event.data),
  );
  assert.deepEqual(await handled.promise, { worker_id: 'good' });
  const { messages } = await bus.deadLetters.list({ tenant: 'default', limit: 100 });
  await running.stop();
  assert.deepEqual(
    messages.map(({ sequence }) => sequence),
    wrong.map((_, index) => index + 1),
  );
  const expected = [/specversion/, /^id must/, /^source/, /JSON/, /JSON object/, /JSON/];
  for (const [index, pattern] of expected.entries()) {
    assert.match(messages[index]?.reason ?? '', pattern);
  }
});

test('an event that others have published wrong goes to the dead letters', async (t) => {
  const { bus, store, events } = await startBus(t);
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

test('an event of the outbox that no stream takes is set aside, and holds up nothing behind it', async (t) => {
  const { bus, events, store } = await startBus(t);
  const add = async (id: string, position: number, subject: string, data: string) => {
    const message = JSON.stringify({ tenant: 'default', id, subject, data });
    const row = { tenant: 'default', id, position, message, created_at: position };
    await store.db.insertInto('bus_outbox').values(row).execute();
  };
  const subject = 'service.agent.state';
  await add('first', 1, subject, '{}');
  await add('unknown', 2, 'gone.since.the.update', '{}');
  await add('large', 3, subject, 'a'.repeat(1_000_000));
  await add('second', 4, subject, '{}');
  await add('larger', 5, subject, 'a'.repeat(1_000_001));
  const last = { tenant: 'default', id: 'last', data: { agent_id: '1' } };
  await store.transaction((tx) => events.agent.state.within(tx, last));
  await bus.drain();
  assert.deepEqual([await bus.waiting(), await bus.refused()], [0, 3]);
  const stored = await store.db
    .selectFrom('bus_message')
    .select('message_id')
    .orderBy('sequence')
    .execute();
  assert.deepEqual(
    stored.map(({ message_id: id }) => id),
    ['first', 'second', 'last'],
  );
  const left = await store.db
    .selectFrom('bus_outbox')
    .select(['id', 'refused'])
    .orderBy('position')
    .execute();
  assert.deepEqual(
    left.map(({ id }) => id),
    ['unknown', 'large', 'larger'],
  );
  assert.equal(left[0]?.refused, 'there is no stream that takes gone.since.the.update');
  assert.match(left[1]?.refused ?? '', /^a message of SERVICE_AGENT may have \d+ bytes, and this/);
});
