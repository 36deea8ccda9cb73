import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTask, getTask, taskIn } from './task-server.ts';

const script = fileURLToPath(new URL('task-process.ts', import.meta.url));

interface Server {
  readonly child: ChildProcess;
  readonly url: URL;
  next(): Promise<string>;
}

/** Kill a server while it runs tasks, and let the next one bring them to their ends. */
export async function killWhileWorking(
  t: TestContext,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const first = await startServer(t, env);
  const repeatable = await createTask(first.url, 'repeatable');
  assert.equal(await first.next(), 'repeatable');
  const unrepeatable = await createTask(first.url, 'unrepeatable');
  assert.equal(await first.next(), 'unrepeatable');
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');

  const second = await startServer(t, env);
  assert.equal((await getTask(second.url, repeatable)).status, 'working');
  assert.equal(await second.next(), 'repeatable');
  second.child.stdin?.write('go on\n');
  const done = await taskIn(second.url, repeatable, 'completed');
  assert.match(done.result?.content[0]?.text ?? '', /^[\da-f-]{36}$/);
  const left = await taskIn(second.url, unrepeatable, 'failed');
  assert.match(left.error?.message ?? '', /check whether it took effect/);
}

async function startServer(t: TestContext, env: Readonly<Record<string, string>>): Promise<Server> {
  const child = spawn(process.execPath, [script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, SERVICE_LOG_LEVEL: 'error', ...env },
  });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  return { child, url: new URL(await next()), next };
}
