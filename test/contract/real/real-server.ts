import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

interface RealServer {
  /** Where it lies; `.ci/run` installs it. */
  readonly program: string;
  readonly args: readonly string[];
  /** Answers with a status of success as soon as the server is ready. */
  readonly ready: string;
  /** The folder that it works in, and its home. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Start a server of others out of PyPI, whose program lies in the folder `REAL_SERVERS_BIN`; it ends
 * with the test.
 *
 * @throws AssertionError where it is not installed, or with what it wrote when it ends before it is ready
 */
export async function startPythonServer(t: TestContext, server: RealServer): Promise<void> {
  const bin = process.env['REAL_SERVERS_BIN'];
  assert.ok(bin, 'REAL_SERVERS_BIN names no folder of programs');
  await startRealServer(t, { ...server, program: join(bin, server.program) });
}

/**
 * Start a server of others, which ends with the test.
 *
 * @throws AssertionError with what it wrote when it ends before it is ready
 */
export async function startRealServer(t: TestContext, server: RealServer): Promise<void> {
  const { program, args, ready, folder, env = {} } = server;
  const child = spawn(program, args, {
    cwd: folder,
    // It may start others, which end with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
  });
  let written = '';
  const keep = (bytes: Buffer) => {
    written = `${written}${bytes}`.slice(-5000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = once(child, 'close');
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      process.kill(-child.pid, 'SIGKILL');
    }
    await ended;
  });
  await once(child, 'spawn');
  while (!(await answers(ready))) {
    assert.equal(child.exitCode ?? child.signalCode, null, `${program} has ended: ${written}`);
    await sleep(200);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
