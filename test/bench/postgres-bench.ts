import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openAuditLog } from '../../runtime/audit/index.ts';
import { logOptions } from '../runtime/audit/audit-note.ts';
import { PostgresServer } from '../runtime/store/postgres-server.ts';
import { seconds } from './in-flight.ts';
import { median, type Row } from './row.ts';

const program = fileURLToPath(new URL('./servers/appending-replica.ts', import.meta.url));
const rounds = 3;
/** Entries of each replica in a round. */
const entries = 10_000;

/** Two processes append to one log in a PostgreSQL that flushes its files: is it whole, how fast? */
export async function runPostgresAppends(): Promise<Row> {
  const server = await PostgresServer.start({ durable: true });
  const folder = mkdtempSync(join(tmpdir(), 'postgres-bench-'));
  const databaseUrl = await server.createDatabase();
  const replicas = ['a', 'b'].map((name) =>
    fork(program, [join(folder, name), databaseUrl], { serialization: 'advanced' }),
  );
  try {
    await Promise.all(replicas.map(answer));
    const acknowledged: string[] = [];
    const rates: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const time = await seconds(async () => {
        const answers = replicas.map(answer);
        for (const replica of replicas) replica.send(entries);
        for (const lines of await Promise.all(answers)) acknowledged.push(...(lines as string[]));
      });
      rates.push((entries * replicas.length) / time);
    }
    const lost = await losses(databaseUrl, join(folder, 'c'), acknowledged);
    return {
      what: 'PostgreSQL, two replicas appending, 1,000 in flight each',
      target: 'no gap, no fork, nothing lost',
      measured: lost === '' ? 'none' : lost,
      met: lost === '',
      detail: `${Math.round(median(rates)).toLocaleString('en')} entries/s, ${acknowledged.length.toLocaleString('en')} acknowledged and verified`,
    };
  } finally {
    for (const replica of replicas) {
      replica.disconnect();
      await once(replica, 'exit');
    }
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

async function answer(replica: ChildProcess): Promise<unknown> {
  const [message] = await once(replica, 'message');
  return message;
}

/** What is wrong with the log, or with an entry of it that was acknowledged. */
async function losses(
  databaseUrl: string,
  folder: string,
  acknowledged: readonly string[],
): Promise<string> {
  const log = await openAuditLog(logOptions(folder, { databaseUrl }));
  try {
    const { issues, records } = await log.verify();
    if (issues.length > 0) return `${issues.length} issues`;
    const kept = new Set<string>();
    for (let before: number | undefined = records; before !== undefined; ) {
      const page = await log.list({ before, limit: 1000 });
      for (const { entry, hash } of page.records) kept.add(`${entry.seq}:${hash}`);
      before = page.next;
    }
    const missing = acknowledged.filter((entry) => !kept.has(entry)).length;
    const doubled = acknowledged.length - new Set(acknowledged).size;
    return missing + doubled === 0 ? '' : `${missing} lost, ${doubled} doubled`;
  } finally {
    await log.close();
  }
}
