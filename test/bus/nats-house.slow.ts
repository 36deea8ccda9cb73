import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test, { type TestContext } from 'node:test';
import { serve } from '../runtime/cli/served.ts';
import { temporaryDirectory } from '../runtime/store/temporary-directory.ts';
import { callTool } from '../surfaces/search/search-server.ts';
import { NatsServer, natsServers } from './nats-server.ts';
import { startBus } from './running-bus.ts';

const document = { document_id: 'w1' };

async function startNats(t: TestContext): Promise<NatsServer> {
  const nats = await NatsServer.start({ binary: natsServers['newest'] ?? '' });
  t.after(() => nats.stop());
  return nats;
}

test('agents publish and read events in NATS, and the server serves on without it', async (t) => {
  const nats = await startNats(t);
  const { url, log } = await serve(t, {
    SERVICE_DATA_DIR: temporaryDirectory(t),
    SERVICE_ENABLE_BUS: '1',
    SERVICE_BUS_URL: nats.url,
    SERVICE_BUS_PERSISTENT: '1',
  });
  const publish = () =>
    callTool(url, 'bus_publish', { event: 'document.received', data: document, id: randomUUID() });
  const first = await publish();
  assert.equal(first.isError ?? false, false, JSON.stringify(first));
  const read = async () => {
    const page = await callTool(url, 'bus_read', { stream: 'SERVICE_DOCUMENT' });
    const { events } = page.structuredContent as { readonly events: readonly object[] };
    return events.length;
  };
  assert.equal(await read(), 1);
  const bus = async () => {
    const answer = await fetch(new URL('/readyz', url));
    const { checks } = (await answer.json()) as { checks: readonly { name: string }[] };
    return [answer.status, checks.find(({ name }) => name === 'bus')];
  };
  assert.deepEqual(await bus(), [200, { name: 'bus', ok: true, optional: true }]);

  await nats.kill();
  const refused = await publish();
  assert.equal(refused.isError, true);
  assert.match(JSON.stringify(refused), /bus_unavailable/);
  assert.deepEqual(await bus(), [200, { name: 'bus', ok: false, optional: true }]);
  const metrics = await fetch(new URL('/metrics', url));
  assert.equal(metrics.status, 200);
  // What the server tells of its own start may wait there by now; what was refused never does.
  assert.match(await metrics.text(), /^bus_outbox_messages [01]$/m);

  await nats.restart();
  while ((await publish()).isError) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(await read(), 2);
  assert.match(log(), /NATS cannot be reached/);
});

test('events that were written with their rows wait in the store while NATS is away', async (t) => {
  const nats = await startNats(t);
  const { bus, store, events } = await startBus(t, { natsUrl: nats.url });
  const write = (agent_id: string) =>
    store.transaction((tx) =>
      events.agent.registered.within(tx, { tenant: 'default', data: { agent_id } }),
    );
  await write('0');
  while ((await bus.waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await nats.kill();
  for (const id of ['1', '2', '3']) await write(id);
  assert.equal(await bus.waiting(), 3);
  await nats.restart();
  while ((await bus.waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  const { messages } = await bus.read({ stream: 'SERVICE_AGENT', limit: 10 });
  assert.deepEqual(
    messages.map(({ event }) => (event.data as { agent_id?: string }).agent_id),
    ['0', '1', '2', '3'],
  );
});

test('whose an event is, its subject says, whatever it says of itself', async (t) => {
  const nats = await startNats(t);
  const { bus } = await startBus(t, { natsUrl: nats.url, isShared: true });
  const stream = 'SERVICE_EDGE';
  await bus.read({ stream, limit: 1 });
  // A worker whose account lets it publish for acme alone.
  const { connect, headers } = await import('nats');
  const connection = await connect({ servers: nats.url });
  t.after(() => connection.close());
  const claims = headers();
  for (const [name, value] of Object.entries({
    ...{ specversion: '1.0', id: 'x', source: 'urn:worker:1', tenant: 'globex' },
    type: 'service.edge.status.v1',
  })) {
    claims.set(`ce-${name}`, value);
  }
  claims.set('Service-Tenant', 'globex');
  const data = JSON.stringify({ worker_id: '1' });
  await connection.jetstream().publish('service.edge.acme.status', data, { headers: claims });
  await connection.jetstream().publish('service.edge.acme.status', data);

  const of = async (tenant: string, more: { readonly events?: readonly string[] } = {}) =>
    (await bus.read({ stream, tenant, limit: 10, ...more })).messages;
  assert.deepEqual(await of('globex'), []);
  assert.deepEqual(await of('globex', { events: ['edge.status'] }), []);
  const found = (await of('acme')).map(({ name, event: { tenant } }) => [name, tenant]);
  assert.deepEqual(found[0], ['edge.status', 'acme']);
  assert.equal(found.length, 2);
  const consumed = Promise.withResolvers<string | undefined>();
  const consumer = await bus.consume({ name: 'test', events: ['edge.status'] }, async (delivery) =>
    consumed.resolve(delivery.event.tenant),
  );
  assert.equal(await consumed.promise, 'acme');
  await consumer.stop();
});
