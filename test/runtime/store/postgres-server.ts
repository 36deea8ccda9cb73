import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openStore, type TestDatabase } from './replicas.ts';

/** Where Debian, and a build from source, put the programs of PostgreSQL. */
const folders = [
  ...[18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin`),
  '/usr/local/bin',
  '/usr/local/pgsql/bin',
];

/** A real PostgreSQL in a temporary folder, reached through a socket in it. */
export class PostgresServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'pg-'));
  readonly #bin = programFolder();
  readonly #user = serverUser();
  #child: ChildProcess | undefined;
  #databases = 0;

  readonly #settings: readonly string[];

  private constructor(durable: boolean) {
    this.#settings = durable ? [] : ['-c', 'fsync=off'];
  }

  /** @param durable whether it flushes its files, as one does that is not for tests */
  static async start({ durable = false } = {}): Promise<PostgresServer> {
    const server = new PostgresServer(durable);
    await server.#init();
    await server.run();
    return server;
  }

  async #init(): Promise<void> {
    if (this.#user) chownSync(this.#folder, this.#user.uid, this.#user.gid);
    const args = ['-D', this.#data, '-U', 'postgres', '-A', 'trust', '-N', '-E', 'UTF8'];
    const child = spawn(join(this.#bin, 'initdb'), [...args, '--locale=C.UTF-8'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      ...this.#user,
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`initdb ended with ${code}`);
  }

  /** Start the server, also after `kill`, and wait until it answers. */
  async run(): Promise<void> {
    const settings = ['-c', 'listen_addresses=', '-c', 'log_min_messages=panic'];
    const child = spawn(
      join(this.#bin, 'postgres'),
      ['-D', this.#data, '-k', this.#folder, ...settings, ...this.#settings],
      { stdio: 'ignore', ...this.#user },
    );
    this.#child = child;
    while (!(await this.#answers())) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
      await sleep(20);
    }
  }

  /** End every process of the server with SIGKILL: nothing of theirs is cleaned up. */
  async crash(): Promise<void> {
    const { pid } = this.#child ?? {};
    if (this.#child === undefined || pid === undefined) return;
    const exit = once(this.#child, 'exit');
    // So that it starts no further ones meanwhile.
    process.kill(pid, 'SIGSTOP');
    const served = childrenOf(pid);
    for (const child of served) process.kill(child, 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    await exit;
    // The next server refuses to start beside what is left of this one.
    while (served.some(isAlive)) await sleep(1);
  }

  /** End the server and all that it serves, as a crash would. */
  async kill(): Promise<void> {
    const exit = this.#child && once(this.#child, 'exit');
    // SIGQUIT is PostgreSQL's own crash: no clean-up, but the children end too.
    this.#child?.kill('SIGQUIT');
    await exit;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A new, empty database. */
  async createDatabase(): Promise<string> {
    const name = `test_${++this.#databases}`;
    const client = new pg.Client(this.#url('postgres'));
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    return this.#url(name);
  }

  /** A database of its own for each test. */
  readonly database = async (t: Pick<TestContext, 'after'>): Promise<TestDatabase> => {
    const options = { dataDir: '/nowhere', databaseUrl: await this.createDatabase() };
    return {
      options,
      replicas: (count) => Promise.all(Array.from({ length: count }, () => openStore(t, options))),
    };
  };

  get #data(): string {
    return join(this.#folder, 'data');
  }

  #url(database: string): string {
    return `postgres://postgres@localhost/${database}?host=${this.#folder}`;
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client(this.#url('postgres'));
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  }
}

function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statusOf(name).parent === parent)
    .map(Number);
}

function isAlive(pid: number): boolean {
  return !['', 'Z'].includes(statusOf(String(pid)).state);
}

/** Empty when there is no such process; proc(5), /proc/pid/stat. */
function statusOf(pid: string): { readonly state: string; readonly parent: number } {
  try {
    const [state = '', parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return { state: '', parent: 0 };
  }
}

function programFolder(): string {
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')));
  if (found) return found;
  throw new Error(`PostgreSQL is missing: install the package postgresql (looked in ${folders})`);
}

/** PostgreSQL does not run as root. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
