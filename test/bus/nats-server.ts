import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Debian's, which is the oldest that is supported, and what CI has built. */
export const natsServers: Readonly<Record<string, string | undefined>> = {
  'of the distribution': ['/usr/sbin/nats-server', '/usr/bin/nats-server'].find(existsSync),
  newest: process.env['NATS_SERVER'],
};

export interface NatsServerOptions {
  readonly binary: string;
  /** More lines of its configuration file. */
  readonly configuration?: string;
}

/** A NATS server with JetStream, on loopback, whose data outlives its process. */
export class NatsServer {
  readonly url: string;
  readonly #binary: string;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  private constructor(binary: string, folder: string, port: number) {
    this.#binary = binary;
    this.#folder = folder;
    this.url = `nats://127.0.0.1:${port}`;
  }

  static async start({ binary, configuration = '' }: NatsServerOptions): Promise<NatsServer> {
    const folder = mkdtempSync(join(tmpdir(), 'nats-'));
    writeFileSync(
      join(folder, 'nats.conf'),
      `ports_file_dir: "${folder}"
jetstream { store_dir: "${folder}", max_mem: 64MB, max_file: 4GB }
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
    const server = new NatsServer(binary, folder, Number(new URL(url).port));
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

  async stop(): Promise<void> {
    await this.kill('SIGTERM');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function written(path: string, child: ChildProcess): Promise<string> {
  while (child.exitCode === null) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (text.trimEnd().endsWith('}')) return text;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nats-server ended with ${child.exitCode}`);
}
