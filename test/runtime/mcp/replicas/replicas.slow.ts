import assert from 'node:assert/strict';
import test, { after, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tool } from '#contract/tool';
import { createService } from '../../../../runtime/main.ts';
import { toolsInMemory } from '../../../../runtime/offer/catalogue.ts';
import { NatsServer, natsServers } from '../../../bus/nats-server.ts';
import { toolOf } from '../../in-memory-tools.ts';
import { PostgresServer } from '../../store/postgres-server.ts';
import { temporaryDirectory } from '../../store/temporary-directory.ts';
import { listen } from '../methods/listening.ts';
import { connect } from '../sessions/session.ts';
import { createTask, withTasks } from '../tasks/task-server.ts';
import { extension, required, said } from '../tasks/task-tools.ts';

const server = await PostgresServer.start();
after(() => server.stop());

type Env = Readonly<Record<string, string>>;

/** One of several replicas in this process, on a database that they share. */
async function startReplica(t: TestContext, env: Env, tools: readonly Tool[]) {
  const own = { SERVICE_DATA_DIR: temporaryDirectory(t), SERVICE_LOG_LEVEL: 'silent' };
  const source = { id: 'tests', title: 'Tests', tools: toolsInMemory(tools) };
  const service = await createService({ ...own, ...env }, [source]);
  await service.life.start();
  const base = await service.http.listen({ host: '127.0.0.1', port: 0 });
  t.after(async () => {
    service.mcp.endpoint.drain();
    service.engines.running.abortAll();
    await service.http.close();
    await service.life.stop();
  });
  let added = 0;
  return {
    url: new URL('/mcp', base),
    bus: service.engines.bus,
    /** Offer one tool more. */
    addTool() {
      const more = toolOf({ name: `added_${++added}` }, async () => said('added'));
      const id = `added-${added}`;
      service.offer.catalogue.add({ id, title: id, tools: toolsInMemory([more]) });
    },
  };
}

const databases: Readonly<Record<string, (t: TestContext) => Promise<Env>>> = {
  'events in PostgreSQL': async () => ({}),
  'events in NATS': async (t) => {
    const nats = await NatsServer.start({ binary: natsServers['newest'] ?? '' });
    t.after(() => nats.stop());
    return { SERVICE_BUS_URL: nats.url, SERVICE_BUS_PERSISTENT: '1' };
  },
};

async function twoReplicas(t: TestContext, more: Env, tools: readonly Tool[]) {
  const env = {
    ...{ SERVICE_DATABASE_URL: await server.createDatabase(), SERVICE_ENABLE_BUS: '1', ...more },
    SERVICE_MCP_SESSIONS: '1',
  };
  const a = await startReplica(t, env, tools);
  return { a, b: await startReplica(t, env, tools) };
}

for (const [name, environment] of Object.entries(databases)) {
  test(`${name}: what one replica changes of its lists, the clients of another one hear`, async (t) => {
    const { a, b } = await twoReplicas(t, await environment(t), []);
    const next = await listen(t, b.url, 'sub', { toolsListChanged: true });
    assert.equal((await next()).method, 'notifications/subscriptions/acknowledged');
    let inSession = 0;
    let hears = Promise.withResolvers<void>();
    const { client } = await connect(t, b.url);
    client.fallbackNotificationHandler = async ({ method }) => {
      if (method === 'notifications/tools/list_changed') inSession += 1;
      hears.resolve();
    };
    // Replica b may have begun to listen, and its client not yet.
    const heard = hears.promise.then(() => true);
    do a.addTool();
    while ((await Promise.race([heard, sleep(200)])) === undefined);
    assert.equal((await next()).method, 'notifications/tools/list_changed');

    hears = Promise.withResolvers<void>();
    const before = inSession;
    const at = performance.now();
    a.addTool();
    await hears.promise;
    t.diagnostic(`heard after ${Math.round(performance.now() - at)} ms`);
    assert.ok(inSession > before);
    // What b tells of came from a, and b does not send it back.
    const page = await a.bus.read({
      ...{ stream: 'SERVICE_AGENT', events: ['agent.mcp.list_changed'], limit: 100 },
    });
    const replicas = new Set(page.messages.map(({ event }) => replicaOf(event.data)));
    assert.equal(replicas.size, 1);
  });

  test(`${name}: a task that one replica works on is followed at another one`, async (t) => {
    const finish = Promise.withResolvers<void>();
    const held = required('held', async (_args, { progress }) => {
      progress?.(1, 2, 'half of it');
      await finish.promise;
      return said('done');
    });
    const { a, b } = await twoReplicas(t, await environment(t), [held]);
    const id = await createTask(a.url, 'held');
    const next = await listen(t, b.url, 'sub', { taskIds: [id] }, { extensions: extension });
    assert.equal((await next()).method, 'notifications/subscriptions/acknowledged');
    const until = async (isIt: (params: Readonly<Record<string, unknown>>) => boolean) => {
      for (;;) {
        const { params } = await next();
        if (isIt(params)) return params;
      }
    };
    await until(({ statusMessage }) => statusMessage === 'half of it');
    const at = performance.now();
    finish.resolve();
    const ended = await until(({ status }) => status === 'completed');
    t.diagnostic(`the end was heard of after ${Math.round(performance.now() - at)} ms`);
    assert.deepEqual(ended['result'], said('done'));

    const other = await createTask(b.url, 'held');
    await withTasks(a.url, { method: 'tasks/cancel', params: { taskId: other } });
    const told = async () => {
      const { messages } = await b.bus.read({
        ...{ stream: 'SERVICE_AGENT', events: ['agent.assigned', 'agent.state'], limit: 100 },
      });
      return messages.map(({ name: event, event: { data } }) => [event, data]);
    };
    // Both relays may still be about to publish.
    while ((await told()).length < 4) await sleep(20);
    const of = (task: string) => ({ agent_id: 'local', task });
    assert.deepEqual((await told()).slice(0, 2), [
      ['agent.assigned', of(id)],
      ['agent.state', { ...of(id), from: 'working', to: 'completed' }],
    ]);
  });
}

function replicaOf(data: unknown): unknown {
  return (data as { readonly replica?: unknown }).replica;
}
