import assert from 'node:assert/strict';
import { once } from 'node:events';
import test, { after, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, StringCodec } from 'nats';
import { NatsServer, natsServers } from '../../bus/nats-server.ts';
import { ask, can, press } from '../../runtime/admission/confirm/confirm-server.ts';
import { type Served, serve } from '../../runtime/cli/served.ts';
import { getTask, taskIn } from '../../runtime/mcp/tasks/task-server.ts';
import { PostgresServer } from '../../runtime/store/postgres-server.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { ShippedVendors } from './shipped-vendors.ts';

// Whole servers, each in a process of its own, that share PostgreSQL, and NATS for the events.

const postgres = await PostgresServer.start();
after(() => postgres.stop());

const key = Buffer.alloc(32, 7).toString('base64');
const before = [
  'GET /repos/a/b/issues/1',
  'GET /search/issues',
  'POST /repos/a/b/issues/1/labels {"labels":["bug"]}',
];
const behind = [
  'POST /repos/a/b/issues/1/comments {"body":"Thank you"}',
  'POST /chat.postMessage {"channel":"C1","text":"Triaged a/b#1: Crash https://github.example/1","unfurl_links":false}',
];
const triage = {
  name: 'issue_triage',
  arguments: {
    ...{ owner: 'a', repo: 'b', issue_number: 1, labels: ['bug'], channel: 'C1' },
    answer: 'Thank you',
  },
};

async function start(t: TestContext) {
  const vendors = new ShippedVendors();
  const vendor = await vendors.start();
  t.after(() => vendors.stop());
  const nats = await NatsServer.start({ binary: natsServers['newest'] ?? '' });
  t.after(() => nats.stop());
  const env = {
    SERVICE_DATABASE_URL: await postgres.createDatabase(),
    // All replicas have the same ones.
    ...{ SERVICE_AUDIT_KEY: key, SERVICE_SECRET_KEY: key },
    ...{ SERVICE_ENABLE_BUS: '1', SERVICE_BUS_URL: nats.url, SERVICE_BUS_PERSISTENT: '1' },
    ...{ SERVICE_ENABLE_WORKFLOWS: '1', SERVICE_PROVIDER: 'github,slack' },
    ...{ SERVICE_PROVIDER_GITHUB_URL: vendor, SERVICE_PROVIDER_SLACK_URL: vendor },
    ...{ SERVICE_GITHUB_TOKEN: 'key', SERVICE_SLACK_TOKEN: 'key' },
    ...{ SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8', SERVICE_TOOL_MODE: 'direct' },
  };
  const replica = () => serve(t, { ...env, SERVICE_DATA_DIR: temporaryDirectory(t) });
  return { vendors, nats, first: await replica(), second: await replica() };
}

/** Where a task asks for an approval: the path of the page, which is the same at each replica. */
async function pageOf(url: URL, taskId: string): Promise<string> {
  for (;;) {
    const { statusMessage = '' } = await getTask(url, taskId);
    const page = /approval at (http:\S+)/.exec(statusMessage)?.[1];
    if (page !== undefined) return new URL(page).pathname + new URL(page).search;
    await sleep(20);
  }
}

/** End a server as its operator does. */
async function end({ child }: Served, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  const gone = once(child, 'exit');
  child.kill(signal);
  const [code] = await gone;
  return code;
}

/** What NATS has of the workflow, as a client of others reads it. */
async function eventsIn(nats: NatsServer, last: string): Promise<readonly string[]> {
  const connection = await connect({ servers: nats.url });
  const names: string[] = [];
  const stream = connection.jetstream();
  const consumer = await stream.consumers.get('SERVICE_WORKFLOW');
  for await (const { subject, data } of await consumer.consume()) {
    assert.ok(JSON.parse(StringCodec().decode(data)).workflow_id);
    names.push(subject.replace('service.workflow.', ''));
    if (names.at(-1) === last) break;
  }
  await connection.close();
  return names;
}

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`a workflow that waits for a person goes on at another replica after ${signal}`, async (t) => {
    const { vendors, nats, first, second } = await start(t);
    const { taskId = '' } = await ask(first.url, can.tasks, triage);
    const page = await pageOf(first.url, taskId);
    assert.deepEqual(vendors.seen, before);
    const code = await end(first, signal);
    if (signal === 'SIGTERM') assert.equal(code, 0, first.log());
    // Who agrees does so at the replica that is left.
    await press(new URL(page, second.url).href, 'approved');
    const { result } = await taskIn(second.url, taskId, 'completed');
    assert.equal(result?.isError, undefined, JSON.stringify(result));
    assert.deepEqual(vendors.seen, [...before, ...behind], 'each step was done once');
    const told = await eventsIn(nats, 'completed');
    assert.deepEqual(
      told.filter((name) => name !== 'resumed' && name !== 'waiting'),
      ['started', ...Array.from({ length: 4 }, () => 'step_completed'), 'completed'],
    );
    assert.ok(told.includes('waiting') && told.includes('resumed'));
  });
}

test('a workflow that waits at one replica is cancelled by its task at the other one', async (t) => {
  const { vendors, nats, first, second } = await start(t);
  const { taskId = '' } = await ask(first.url, can.tasks, triage);
  const page = await pageOf(first.url, taskId);
  await ask(second.url, can.tasks, { taskId }, 'tasks/cancel');
  const told = await eventsIn(nats, 'cancelled');
  assert.deepEqual(told.slice(-2), ['waiting', 'cancelled']);
  for (const { url } of [first, second]) {
    // The question is taken back with its run.
    while ((await fetch(new URL(page, url))).status !== 404) await sleep(20);
  }
  const { status } = await getTask(first.url, taskId);
  assert.equal(status, 'cancelled');
  assert.deepEqual(vendors.seen, before);
});
