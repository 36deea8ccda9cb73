import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test, { type TestContext } from 'node:test';
import { createEvents, eventCatalogue, eventStreams } from '../../generated/events.ts';
import { startBusEngine } from '../../runtime/bus/bus-engine.ts';
import { serve } from '../runtime/cli/served.ts';
import { openStore } from '../runtime/store/replicas.ts';
import { temporaryDirectory } from '../runtime/store/temporary-directory.ts';
import { callTool } from '../surfaces/search/search-server.ts';
import { NatsServer, natsServers } from './nats-server.ts';
import { deadLetters } from './streams.ts';

const workflow = { workflow_id: 'w1', name: 'triage' };

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
    callTool(url, 'bus_publish', { event: 'workflow.started', data: workflow, id: randomUUID() });
  const first = await publish();
  assert.equal(first.isError ?? false, false, JSON.stringify(first));
  const read = async () => {
    const page = await callTool(url, 'bus_read', { stream: 'SERVICE_WORKFLOW' });
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
  assert.match(await metrics.text(), /^bus_outbox_messages 0$/m);

  await nats.restart();
  while ((await publish()).isError) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(await read(), 2);
  assert.match(log(), /NATS cannot be reached/);
});

test('events that were written with their rows wait in the store while NATS is away', async (t) => {
  const nats = await startNats(t);
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  const sized = eventStreams.map((each) => ({ ...each, maxBytes: each.maxBytes.development }));
  const { bus, stop } = await startBusEngine({
    ...{ store, streams: [...sized, deadLetters], isShared: false, catalogue: eventCatalogue },
    owner: randomUUID(),
    nats: {
      ...{ url: nats.url, isPersistent: true, replicas: 1 },
      ...{ credentials: undefined, certificateAuthority: undefined },
    },
    onPublished: () => {},
    onFailure: (message, error) => t.diagnostic(`${message}: ${error}`),
  });
  t.after(stop);
  const events = createEvents(bus);
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
