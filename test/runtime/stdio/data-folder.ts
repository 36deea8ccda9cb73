import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

/** A data directory for the time of one test; a server that was started in it ends with it. */
export function dataFolder(t: Pick<TestContext, 'after'>, ...below: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'stdio-'));
  const dataDir = join(folder, ...below, 'data');
  t.after(async () => {
    const pid = serverOf(dataDir);
    if (pid !== undefined && pid !== process.pid) await end(pid);
    rmSync(folder, { recursive: true, force: true });
  });
  return dataDir;
}

/** The process that serves a data directory, as it says itself. */
export function serverOf(dataDir: string): number | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8')).pid;
  } catch {
    return undefined;
  }
}

/** Wait until a process is there no more. */
export async function gone(pid: number): Promise<void> {
  while (isThere(pid)) await sleep(10);
}

async function end(pid: number): Promise<void> {
  if (!isThere(pid)) return;
  process.kill(pid, 'SIGKILL');
  await gone(pid);
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended and that nobody has asked about is there for kill().
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
