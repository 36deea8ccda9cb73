import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ports that are free at this moment, all of them others. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(async (server) => once(server.close(), 'close')));
  return ports;
}

/** The first of these paths at which something lies. */
export function programAt(...paths: readonly (string | undefined)[]): string {
  const found = paths.find((path) => path !== undefined && existsSync(path));
  if (found === undefined) throw new Error(`none of these is there: ${paths.join(', ')}`);
  return found;
}

/** A server of others, which the test can stop, hold and let go on. */
export interface RunningProgram {
  readonly url: string;
  readonly pid: number;
  /** End it at once. */
  kill(): Promise<void>;
  /** Have it do nothing, with its connections open. */
  hold(): void;
  goOn(): void;
}

export interface ProgramOptions {
  readonly binary: string;
  readonly args: readonly string[];
  /** Besides what this process has. */
  readonly env?: Readonly<Record<string, string>>;
  readonly url: string;
  /** Path that answers with 200 once it can be used, below `url` or whole. */
  readonly ready: string;
}

/** Start a program, and wait until it can be used. */
export async function startProgram(
  t: Pick<TestContext, 'after'>,
  { binary, args, env, url, ready }: ProgramOptions,
): Promise<RunningProgram> {
  const child = spawn(binary, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-4000);
    });
  }
  t.after(() => end(child));
  while (!(await answers(new URL(ready, url)))) {
    if (child.exitCode !== null) throw new Error(`${binary} has ended: ${said}`);
    await sleep(100);
  }
  return {
    ...{ url, pid: child.pid ?? 0 },
    kill: () => end(child),
    hold: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
  };
}

async function answers(url: URL): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
