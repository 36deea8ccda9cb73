import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import test, { after, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NatsServer, natsServers } from '../../bus/nats-server.ts';
import { createTask, taskIn } from '../../runtime/mcp/tasks/task-server.ts';
import { PostgresServer } from '../../runtime/store/postgres-server.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { CountingVendor } from './counting-vendor.ts';
import { killed } from './killed-workflow.ts';

const script = fileURLToPath(new URL('workflow-process.ts', import.meta.url));
const postgres = await PostgresServer.start();
after(() => postgres.stop());

for (const carrier of ['PostgreSQL', 'NATS']) {
  test(`a workflow whose server is killed at any of its steps is finished by the other replica, events in ${carrier}`, (t) =>
    killAtEachStep(t, carrier === 'NATS'));
}

async function killAtEachStep(t: TestContext, inNats: boolean): Promise<void> {
  const vendor = new CountingVendor();
  const vendorUrl = await vendor.start(t);
  const { options } = await postgres.database(t);
  const env = {
    ...{ SERVICE_DATABASE_URL: options.databaseUrl ?? '', VENDOR_URL: vendorUrl },
    ...(inNats && (await startNats(t))),
  };
  const first = await startReplica(t, 'first', env);
  const steps = killed.steps.map(({ id }) => id);
  // One run for each step, whose request has arrived and is not answered.
  const tasks = new Map<string, string>();
  for (const step of steps) {
    vendor.hold(`at-${step}`, step);
    tasks.set(step, await createTask(first.url, 'test_killed', { text: `at-${step}` }));
  }
  await vendor.holding(steps.length);
  const second = await startReplica(t, 'second', env);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');

  for (const step of steps.filter((each) => each !== 'notify')) {
    const run = `at-${step}`;
    const { result } = await taskIn(second.url, tasks.get(step) ?? '', 'completed');
    assert.equal(result?.isError, undefined, JSON.stringify(result));
    const requests = vendor.requests.filter((each) => each.run === run);
    // The step that was cut off came twice, and no other; what was done before is not done again.
    const wanted = steps.flatMap((each) => (each === step ? [each, each] : [each]));
    assert.deepEqual(
      requests.map((each) => each.step),
      wanted,
    );
    assert.deepEqual(
      requests.map(({ replica }) => replica),
      wanted.map((_, index) => (index <= steps.indexOf(step) ? 'first' : 'second')),
    );
    const done = vendor.effects.filter((each) => each === `${run}/charge`);
    assert.equal(done.length, 1, 'with its key, the charge is made once');
    assert.equal(vendor.effects.filter((each) => each === `${run}/notify`).length, 1);
  }

  const left = await taskIn(second.url, tasks.get('notify') ?? '', 'completed');
  assert.equal(left.result?.isError, true);
  assert.match(left.result?.content[0]?.text ?? '', /check whether it took effect/);
  const notified = vendor.requests.filter(
    ({ run, step }) => run === 'at-notify' && step === 'notify',
  );
  assert.equal(notified.length, 1, 'what may not be done twice is not done again');
}

async function startNats(t: TestContext): Promise<Readonly<Record<string, string>>> {
  const nats = await NatsServer.start({ binary: natsServers['newest'] ?? '' });
  t.after(() => nats.stop());
  return { SERVICE_BUS_URL: nats.url, SERVICE_BUS_PERSISTENT: '1' };
}

async function startReplica(
  t: TestContext,
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly child: ChildProcess; readonly url: URL }> {
  const child = spawn(process.execPath, [script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...{ SERVICE_LOG_LEVEL: 'error', SERVICE_DATA_DIR: temporaryDirectory(t) },
      ...{ SERVICE_PROVIDER: 'osv', REPLICA: name },
      ...env,
    },
  });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, url: new URL(String((await lines.next()).value)) };
}
