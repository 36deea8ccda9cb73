import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Signer } from '../../../../runtime/audit/keys/signing-key.ts';
import { verifyDatabase } from '../../../../runtime/audit/postgres/verify-database.ts';
import type { PostgresServer } from '../../store/postgres-server.ts';

const program = fileURLToPath(new URL('./appending-replica.ts', import.meta.url));
const origin = 'tools.example.com/audit';
const { vkey } = new Signer(origin, Buffer.alloc(32, 7));
/** Rounds that one log lives through; without a bound, its verification would take all the time. */
const roundsPerLog = 20;

/** What is ended with SIGKILL, amid the appends of two replicas. */
export type Killed = 'a replica' | 'the database' | 'both replicas' | 'everything';

/** How many replicas that is. */
const killed: Readonly<Record<Killed, number>> = {
  'a replica': 1,
  'the database': 0,
  'both replicas': 2,
  everything: 2,
};

export interface ReplicaFigures {
  rounds: number;
  acknowledged: number;
  /** Entries that the log holds: acknowledged ones, and those whose author was killed. */
  written: number;
  refused: number;
}

export interface ReplicaRounds {
  readonly server: PostgresServer;
  /** A folder for the files of the replicas. */
  readonly folder: string;
  readonly rounds: number;
  /** What each round kills, in turn. */
  readonly kinds: readonly Killed[];
  /** Chooses the moments. */
  readonly random: () => number;
}

/**
 * Let two replicas append at once and kill something at a random moment, over and over: no
 * acknowledged entry is lost, none is there twice, the chain has no gap and no fork, and every
 * checkpoint is one of the same tree.
 */
export async function replicaRounds(given: ReplicaRounds): Promise<ReplicaFigures> {
  const figures = { rounds: 0, acknowledged: 0, written: 0, refused: 0 };
  while (figures.rounds < given.rounds) {
    const databaseUrl = await given.server.createDatabase();
    const folder = join(given.folder, String(figures.rounds));
    const acknowledged = new Map<number, string>();
    for (let count = 0; count < roundsPerLog && figures.rounds < given.rounds; count++) {
      const kind = given.kinds[figures.rounds % given.kinds.length] ?? 'a replica';
      const lines = await round({
        ...given,
        databaseUrl,
        folder,
        kind,
        number: count,
      });
      for (const line of lines) take(line, acknowledged, figures);
      await verify(databaseUrl, folder);
      figures.rounds++;
    }
    figures.written += await compare(databaseUrl, acknowledged);
  }
  return figures;
}

function take(line: string, acknowledged: Map<number, string>, figures: ReplicaFigures): void {
  const [kind, ...rest] = line.split(' ');
  if (kind === 'refused') figures.refused++;
  // Lines that were cut off by the kill are no acknowledgements that anybody read.
  if (kind !== 'acknowledged' || rest[3] !== '.') return;
  const [seq, hash, subject] = rest;
  assert.ok(!acknowledged.has(Number(seq)), `entry ${seq} was acknowledged twice`);
  acknowledged.set(Number(seq), `${hash} ${subject}`);
  figures.acknowledged++;
}

interface Round extends Pick<ReplicaRounds, 'server' | 'random'> {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly kind: Killed;
  readonly number: number;
}

/** Those that are not killed have to go on by themselves, before they are ended too. */
async function round({
  server,
  random,
  databaseUrl,
  folder,
  kind,
  number,
}: Round): Promise<string[]> {
  const replicas = ['a', 'b'].map(
    (name) => new Replica(join(folder, name), databaseUrl, `${name}${number}`),
  );
  await Promise.all(replicas.map((replica) => replica.acknowledges()));
  await sleep(random() * 200);
  const [dead, alive] = [replicas.slice(0, killed[kind]), replicas.slice(killed[kind])];
  await Promise.all([
    ...dead.map((replica) => replica.kill()),
    kind === 'the database' || kind === 'everything' ? server.crash() : undefined,
  ]);
  if (kind === 'the database' || kind === 'everything') await server.run();
  await Promise.all(alive.map((replica) => replica.acknowledges()));
  await Promise.all(alive.map((replica) => replica.kill()));
  return replicas.flatMap(({ lines }) => lines);
}

/** A process that appends. */
class Replica {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  #next = Promise.withResolvers<void>();

  constructor(folder: string, databaseUrl: string, name: string) {
    const child = spawn(process.execPath, [program, folder, databaseUrl, name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const reader = createInterface(child.stdout);
    reader.on('line', (line) => {
      this.lines.push(line);
      if (line.startsWith('acknowledged')) this.#next.resolve();
    });
    this.#closed = once(reader, 'close');
  }

  /** Wait until another entry is acknowledged. */
  async acknowledges(): Promise<void> {
    this.#next = Promise.withResolvers();
    const acknowledged = await Promise.race([
      this.#next.promise.then(() => true),
      this.#closed.then(() => false),
    ]);
    assert.ok(acknowledged, 'the replica goes on by itself');
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
}

async function verify(databaseUrl: string, folder: string): Promise<void> {
  const outside = ['a', 'b']
    .map((name) => join(folder, name, 'anchor', encodeURIComponent(origin), 'newest'))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8'));
  const found = await verifyDatabase(databaseUrl, { log: 1, vkeys: vkey, outside });
  assert.deepEqual(found.issues, []);
}

async function compare(
  databaseUrl: string,
  acknowledged: ReadonlyMap<number, string>,
): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query(
    "select seq::integer, encode(hash, 'hex') as hash, convert_from(bytes, 'UTF8')::json ->> 'subject' as subject from audit_entry",
  );
  await client.end();
  const kept = new Map(rows.map(({ seq, hash, subject }) => [seq, `${hash} ${subject}`]));
  const subjects = new Set(rows.map(({ subject }) => subject));
  assert.equal(subjects.size, rows.length, 'no entry is there twice');
  for (const [seq, entry] of acknowledged) assert.equal(kept.get(seq), entry, `entry ${seq}`);
  return rows.length;
}
