import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AuditEvent, AuditLog } from '#contract/house/audit';
import { createFileAnchor } from '../../runtime/audit/anchors/file-anchor.ts';
import { openAuditLog } from '../../runtime/audit/engine/audit-log.ts';
import { auditedCalls } from './audit-calls.ts';
import { inFlight, seconds } from './in-flight.ts';
import { median, type Row } from './row.ts';

const pairs = 5;
const entries = 50_000;
const singles = 300;
const large = 1_000_000;

/** The audit log against bare SQLite on the same disk, and what it does with a million entries. */
export async function auditBench(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'audit-bench-'));
  const log = await openAuditLog({
    directory: join(folder, 'data'),
    origin: 'bench.example.com/audit',
    anchors: [createFileAnchor(join(folder, 'anchor'))],
  });
  const bare = openBare(join(folder, 'bare.sqlite'));
  try {
    const { canonical = '' } = (await log.entry((await log.append(event(0))).seq)) ?? {};
    const bytes = Buffer.from(canonical);
    const rates = await throughput(log, bare, bytes);
    const single = await singleAppends(log, bare, bytes);
    await fill(log);
    return [
      rates,
      single,
      await proofs(log),
      await verification(log),
      ...(await auditedCalls(folder)),
    ];
  } finally {
    bare.close();
    await log.close();
    rmSync(folder, { recursive: true });
  }
}

function event(number: number): AuditEvent {
  return {
    category: 'system',
    action: 'AGENT_NOTE',
    actor: { type: 'agent', id: 'agent-1' },
    tenant: 'default',
    subject: null,
    outcome: 'ok',
    correlation_id: `call-${number}`,
    summary: 'a note of the benchmark',
    payload: { number },
  };
}

/** The least that SQLite could do: the same bytes and a key, flushed with each commit. */
function openBare(path: string): DatabaseSync {
  const bare = new DatabaseSync(path);
  bare.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  bare.exec('CREATE TABLE entry (seq INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT');
  return bare;
}

async function throughput(log: AuditLog, bare: DatabaseSync, bytes: Buffer): Promise<Row> {
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const ours = entries / (await seconds(() => appendInFlight(log, entries)));
    const theirs = entries / (await seconds(async () => insert(bare, bytes, entries, 100)));
    rates.push(ours);
    ratios.push(ours / theirs);
  }
  const [ratio, rate] = [median(ratios), median(rates)];
  return {
    what: 'audit entries per second, 1,000 in flight / bare INSERT in batches of 100',
    target: 'at least 0.25, or 50,000/s',
    measured: ratio.toFixed(2),
    met: ratio >= 0.25 || rate >= 50_000,
    detail: `${Math.round(rate).toLocaleString('en')} entries/s of ${bytes.length} bytes`,
  };
}

function appendInFlight(log: AuditLog, count: number): Promise<void> {
  return inFlight(1000, count, (number) => log.append(event(number)));
}

function insert(bare: DatabaseSync, bytes: Buffer, count: number, batch: number): void {
  const statement = bare.prepare('INSERT INTO entry (bytes) VALUES (?)');
  for (let done = 0; done < count; done += batch) {
    bare.exec('BEGIN');
    for (let row = 0; row < batch; row++) statement.run(bytes);
    bare.exec('COMMIT');
  }
}

async function singleAppends(log: AuditLog, bare: DatabaseSync, bytes: Buffer): Promise<Row> {
  const ratios: number[] = [];
  const times: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const ours = await seconds(async () => {
      for (let number = 0; number < singles; number++) await log.append(event(number));
    });
    const theirs = await seconds(async () => insert(bare, bytes, singles, 1));
    times.push((ours / singles) * 1000);
    ratios.push(ours / theirs);
  }
  const ratio = median(ratios);
  return {
    what: 'one audit append alone / bare single-row commit',
    target: 'at most 2',
    measured: ratio.toFixed(2),
    met: ratio <= 2,
    detail: `${median(times).toFixed(2)} ms`,
  };
}

async function fill(log: AuditLog): Promise<void> {
  await appendInFlight(log, large - log.status().size);
  await log.anchorNow();
}

async function proofs(log: AuditLog): Promise<Row> {
  const { size } = log.status();
  const times: number[] = [];
  for (let count = 0; count < 3000; count++) {
    const seq = Math.floor(Math.random() * size);
    times.push(1000 * (await seconds(() => log.proof(seq))));
  }
  const sorted = times.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  return {
    what: `inclusion proof in a log of ${size.toLocaleString('en')} entries, p99`,
    target: 'at most 1 ms',
    measured: `${p99.toFixed(2)} ms`,
    met: p99 <= 1,
    detail: `median ${median(times).toFixed(2)} ms`,
  };
}

async function verification(log: AuditLog): Promise<Row> {
  let ok = false;
  const time = await seconds(async () => {
    ({ ok } = await log.verify());
  });
  return {
    what: 'full verification of these entries',
    target: 'at most 10 s',
    measured: `${time.toFixed(1)} s`,
    met: ok && time <= 10,
    detail: ok ? '' : 'it found issues',
  };
}
