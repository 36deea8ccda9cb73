import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '../runtime/store/postgres-server.ts';

/**
 * Somebody with a fresh clone and an empty home, who reads one document after the other. Each
 * document finds nothing kept, and a server that runs, as the README has left it.
 */
export class Reader {
  readonly clone: string;
  readonly #home: string;
  readonly #port: number;
  readonly #postgres: PostgresServer;
  #databaseUrl = '';
  #server: ChildProcess | undefined;
  #document = '';
  /** The lock of what was installed last. */
  #installed: string | undefined;

  private constructor(clone: string, home: string, port: number, postgres: PostgresServer) {
    this.clone = clone;
    this.#home = home;
    this.#port = port;
    this.#postgres = postgres;
  }

  static async arrive(project: string): Promise<Reader> {
    const clone = mkdtempSync(join(tmpdir(), 'documents-'));
    const home = mkdtempSync(join(tmpdir(), 'documents-home-'));
    mkdirSync(join(home, 'backup'));
    // A place to pull from, whatever becomes of the project meanwhile, and whatever is checked out.
    const origin = join(home, 'origin.git');
    git('clone', '--quiet', '--bare', project, origin);
    git('-C', origin, 'update-ref', 'refs/heads/main', git('-C', project, 'rev-parse', 'HEAD'));
    git('-C', origin, 'symbolic-ref', 'HEAD', 'refs/heads/main');
    git('clone', '--quiet', origin, clone);
    return new Reader(clone, home, await freePort(), await PostgresServer.start());
  }

  async leave(): Promise<void> {
    await this.stopServer();
    await this.#postgres.stop();
    for (const folder of [this.clone, this.#home]) rmSync(folder, { recursive: true, force: true });
  }

  /** Begin with a document, unless it is the one that is being read. */
  async turnTo(document: string): Promise<void> {
    if (document === this.#document) return;
    const isFirst = this.#document === '';
    this.#document = document;
    await this.stopServer();
    for (const name of ['.data', '.data-anchors']) {
      rmSync(join(this.clone, name), { recursive: true, force: true });
    }
    this.#databaseUrl = await this.#postgres.createDatabase();
    if (!isFirst) await this.startServer('npm start');
  }

  /** Run a command to its end; it has to come to one. */
  async run(command: string): Promise<{ code: number | null; output: string }> {
    if (this.#server === undefined && command.includes('127.0.0.1:8080')) {
      await this.startServer('npm start');
    }
    const child = this.#spawn(this.#withoutSecondInstall(command));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    const [code] = await once(child, 'close');
    return { code, output };
  }

  /** Run a command that starts the server, until it says that it listens. */
  async startServer(command: string): Promise<void> {
    await this.stopServer();
    const child = this.#spawn(this.#withoutSecondInstall(command));
    this.#server = child;
    let output = '';
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    for await (const chunk of child.stdout ?? []) {
      output += chunk;
      if (output.includes('Stop with Ctrl+C')) break;
    }
    assert.match(output, /Agent Tool Server \S+ listens on/);
  }

  async stopServer(): Promise<void> {
    const child = this.#server;
    this.#server = undefined;
    if (child?.pid === undefined || child.exitCode !== null) return;
    // The shell ends first; whoever holds its error output is the server.
    const gone = once(child, 'close');
    process.kill(-child.pid, 'SIGTERM');
    await gone;
  }

  /** What is installed already is not installed once more; a lock that has changed is. */
  #withoutSecondInstall(command: string): string {
    const steps = command.split(' && ');
    if (!steps.includes('npm ci')) return command;
    const lock = readFileSync(join(this.clone, 'package-lock.json'), 'utf8');
    const isDone = lock === this.#installed;
    this.#installed = lock;
    return isDone
      ? steps.map((step) => (step === 'npm ci' ? 'npm ls' : step)).join(' && ')
      : command;
  }

  #spawn(command: string): ChildProcess {
    const own = Object.entries(process.env).filter(([name]) => !/^(npm_|SERVICE_)/.test(name));
    const env = {
      ...Object.fromEntries(own),
      PORT: String(this.#port),
      npm_config_update_notifier: 'false',
      npm_config_cache: npmCache(),
      npm_config_prefer_offline: 'true',
      npm_config_prefix: this.#home,
      HOME: this.#home,
      PATH: `${join(this.#home, 'bin')}:${process.env['PATH']}`,
      NODE_TEST_CONTEXT: '',
    };
    return spawn('sh', ['-c', this.#here(command)], {
      cwd: this.clone,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** A command with the places of this machine in it. */
  #here(command: string): string {
    return command
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${this.#port}`)
      .replaceAll('/mnt/backup', join(this.#home, 'backup'))
      .replaceAll('/srv/restored', join(this.#home, this.#document, 'restored'))
      .replaceAll('postgres://owner@db.example.com/tools', this.#databaseUrl);
  }
}

/** What whoever runs the test has fetched: an empty one would try the registry, and no document. */
function npmCache(): string {
  return execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
