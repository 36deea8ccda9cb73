import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../bin.js', import.meta.url));

/** A JSON-RPC message, as far as the tests look at it. */
export interface Said {
  readonly jsonrpc: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** `agent-tool-server stdio`, with what it has said. */
export class StdioProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly said: Said[] = [];
  log = '';
  #rest = '';
  #heard = Promise.withResolvers<void>();
  #isOver = false;

  constructor(env: Readonly<Record<string, string>>) {
    const { PATH = '', HOME = '', TMPDIR = '' } = process.env;
    this.child = spawn(process.execPath, [program, 'stdio'], {
      env: { PATH, HOME, TMPDIR, SERVICE_PROVIDER: 'osv', SERVICE_STDIO_LINGER: '0s', ...env },
    });
    this.child.stdin.on('error', () => {});
    this.child.stderr.on('data', (chunk) => {
      this.log += chunk;
    });
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk));
    this.child.once('close', () => {
      this.#isOver = true;
      this.#heard.resolve();
    });
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  write(text: string | Buffer): void {
    this.child.stdin.write(text);
  }

  /** Wait for the first message that fits. */
  async heard(fits: (message: Said) => boolean): Promise<Said> {
    for (;;) {
      const found = this.said.find(fits);
      if (found) return found;
      assert.ok(!this.#isOver, `it ended before it said what was expected\n${this.log}`);
      await this.#heard.promise;
    }
  }

  /** Wait for the answer to the request with this id. */
  answer(id: string | number | null): Promise<Said> {
    return this.heard((message) => message.id === id && message.method === undefined);
  }

  /** Send a modern request and wait for its answer. */
  ask(id: string | number, method: string, params: object = {}): Promise<Said> {
    this.send({ id, ...modern(method, params) });
    return this.answer(id);
  }

  /** Close its input and wait for its exit code. */
  async end(): Promise<number | null> {
    this.child.stdin.end();
    return this.ended();
  }

  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      await once(this.child, 'exit');
    }
    return this.child.exitCode;
  }

  #read(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      // Whatever is no message fails here, and with it the test.
      const message: Said = JSON.parse(line);
      assert.equal(message.jsonrpc, '2.0', line);
      this.said.push(message);
    }
    this.#heard.resolve();
    this.#heard = Promise.withResolvers();
  }
}

/** Start it for the time of one test. */
export function startStdio(
  t: Pick<TestContext, 'after'>,
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): StdioProcess {
  const started = new StdioProcess({ SERVICE_DATA_DIR: dataDir, ...env });
  t.after(async () => {
    started.child.kill('SIGKILL');
    await started.ended();
  });
  return started;
}

/** A request that carries its own envelope (MCP 2026-07-28). */
export function modern(method: string, params: object = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    progressToken: 'p',
  };
  return { method, params: { _meta, ...params } };
}

/** What a client of the handshake era says first. */
export const opening = {
  id: 'open',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'test', version: '1' },
  },
};
