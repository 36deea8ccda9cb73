import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

/** Debian's, which is the oldest that is supported, and what CI has built. */
export const natsServers: Readonly<Record<string, string | undefined>> = {
  'of the distribution': ['/usr/sbin/nats-server', '/usr/bin/nats-server'].find(existsSync),
  newest: process.env['NATS_SERVER'],
};

export interface NatsServerOptions {
  readonly binary: string;
  /** More lines of its configuration file. */
  readonly configuration?: string;
  /** Accounts that see nothing of each other, for `emptyUrl`. */
  readonly accounts?: number;
}

/** A NATS server with JetStream, on loopback, whose data outlives its process. */
export class NatsServer {
  readonly url: string;
  readonly #binary: string;
  readonly #folder: string;
  readonly #accounts: number;
  #used = 0;
  #child: ChildProcess | undefined;

  private constructor({ binary, folder, port, accounts }: Place) {
    this.#binary = binary;
    this.#folder = folder;
    this.#accounts = accounts;
    this.url = `nats://127.0.0.1:${port}`;
  }

  static async start(options: NatsServerOptions): Promise<NatsServer> {
    const { binary, configuration = '', accounts = 0 } = options;
    const folder = mkdtempSync(join(tmpdir(), 'nats-'));
    // What streams may take counts as taken, in all accounts together.
    writeFileSync(
      join(folder, 'nats.conf'),
      `ports_file_dir: "${folder}"
jetstream { store_dir: "${folder}", max_mem: 64MB, max_file: ${accounts === 0 ? 4 : 4096}GB }
${accounts === 0 ? '' : `accounts { ${Array.from({ length: accounts }, accountNumber).join('\n')} }`}
${configuration}
`,
    );
    // The server chooses a port, and writes down which; the next time it gets the same one.
    const child = spawn(binary, ['-c', join(folder, 'nats.conf'), '-a', '127.0.0.1', '-p', '-1'], {
      stdio: 'ignore',
    });
    const ports = join(folder, `nats-server_${child.pid}.ports`);
    const text = await written(ports, child);
    const [url = ''] = (JSON.parse(text) as { nats: string[] }).nats;
    const port = Number(new URL(url).port);
    const server = new NatsServer({ binary, folder, port, accounts });
    server.#child = child;
    return server;
  }

  /** Start it again, on its data and port. */
  async restart(): Promise<void> {
    const port = new URL(this.url).port;
    this.#child = spawn(
      this.#binary,
      ['-c', join(this.#folder, 'nats.conf'), '-a', '127.0.0.1', '-p', port],
      { stdio: 'ignore' },
    );
    await written(join(this.#folder, `nats-server_${this.#child.pid}.ports`), this.#child);
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  /** Cut it off from everybody, as a broken network does: it answers nobody until it is let go on. */
  cutOff(): void {
    this.#child?.kill('SIGSTOP');
  }

  goOn(): void {
    this.#child?.kill('SIGCONT');
  }

  /**
   * The address of an account without streams. A stream that is made where one of its name has just
   * been deleted can still have consumers and messages of that one (seen in 2.15).
   */
  async emptyUrl(): Promise<string> {
    const account = this.#used++ % this.#accounts;
    const url = new URL(this.url);
    [url.username, url.password] = [`user${account}`, `user${account}`];
    if (this.#used > this.#accounts) await clear(url);
    return url.href;
  }

  async stop(): Promise<void> {
    await this.kill('SIGTERM');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly binary: string;
  readonly folder: string;
  readonly port: number;
  readonly accounts: number;
}

function accountNumber(_: unknown, index: number): string {
  const user = `{ user: user${index}, password: user${index} }`;
  return `account${index} { jetstream: enabled, users: [${user}] }`;
}

/** Delete all streams of an account. */
async function clear({ host, username: user, password: pass }: URL): Promise<void> {
  const connection = await connect({ servers: host, user, pass });
  const manager = await jetstreamManager(connection);
  for await (const { config } of manager.streams.list()) await manager.streams.delete(config.name);
  await connection.close();
}

async function written(path: string, child: ChildProcess): Promise<string> {
  while (child.exitCode === null) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (text.trimEnd().endsWith('}')) return text;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nats-server ended with ${child.exitCode}`);
}
