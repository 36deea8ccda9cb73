import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Signer } from '../../../runtime/audit/signing-key.ts';
import { verifyPath } from '../../../runtime/audit/verify-files.ts';

const writer = fileURLToPath(new URL('./crashing-writer.ts', import.meta.url));
const { vkey } = new Signer('tools.example.com/audit', Buffer.alloc(32, 7));

export interface CrashFigures {
  readonly rounds: number;
  readonly acknowledged: number;
  readonly written: number;
}

/**
 * Start a process that appends, kill it at a random moment, look at what is left, and again with the
 * same log: every acknowledged entry is there, none is there twice, everything verifies.
 */
export async function crashRounds(folder: string, rounds: number): Promise<CrashFigures> {
  const acknowledged = new Map<number, string>();
  const path = join(folder, 'data', 'audit.sqlite');
  for (let round = 0; round < rounds; round++) {
    for (const line of await runAndKill(folder, round)) {
      const [seq = '', ...rest] = line.split(' ');
      if (rest.length < 2) continue;
      assert.ok(!acknowledged.has(Number(seq)), `entry ${seq} was acknowledged twice`);
      acknowledged.set(Number(seq), rest.join(' '));
    }
    assert.deepEqual(verifyPath(path, vkey).issues, []);
  }
  return { rounds, acknowledged: acknowledged.size, written: compare(path, acknowledged) };
}

/** Lines that were cut off by the kill are no acknowledgements that anybody read. */
async function runAndKill(folder: string, round: number): Promise<string[]> {
  const child = spawn(process.execPath, [writer, folder, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const first = Promise.withResolvers<void>();
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => {
    lines.push(line);
    first.resolve();
  });
  const closed = once(reader, 'close');
  // One in four dies while it starts, the others amid their appends.
  if (round % 4 !== 3) await Promise.race([first.promise, closed]);
  await sleep(Math.random() * 120);
  child.kill('SIGKILL');
  await closed;
  return lines;
}

function compare(path: string, acknowledged: ReadonlyMap<number, string>): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare('SELECT seq, lower(hex(hash)) AS hash, bytes FROM entry').all();
  database.close();
  const kept = new Map<number, string>();
  const subjects = new Set<string>();
  for (const { seq, hash, bytes } of rows) {
    const { subject } = JSON.parse(Buffer.from(bytes as Uint8Array).toString());
    kept.set(Number(seq), `${hash} ${subject}`);
    assert.ok(!subjects.has(subject) || seq === 0, `${subject} was written twice`);
    subjects.add(subject);
  }
  for (const [seq, entry] of acknowledged) assert.equal(kept.get(seq), entry, `entry ${seq}`);
  return rows.length;
}
