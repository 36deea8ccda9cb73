import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { firstMatch } from '../setup/server.ts';

const prismFile = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');

/** A mock of a description, by Prism. */
export interface Mock {
  /** Another one after it had to be started again. */
  readonly url: string;
  /** Start it again: some requests end it, or keep it busy for minutes. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Start Prism on a description. Answers that it makes up are the same in every run.
 *
 * @throws Error with what it wrote when it cannot read the description
 */
export async function startPrism(file: string): Promise<Mock> {
  let running = await start(file);
  return {
    get url() {
      return running.url;
    },
    async revive() {
      await running.stop();
      running = await start(file);
    },
    stop: () => running.stop(),
  };
}

async function start(file: string): Promise<Running> {
  const child = spawn(
    process.execPath,
    ['--max-http-header-size=1048576', prismFile, 'mock', '-p', '0', '--seed', 'contract', file],
    {
      env: { ...process.env, NODE_NO_WARNINGS: '1', SCARF_ANALYTICS: 'false' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const line = await firstMatch(child, /listening on http:\/\/127\.0\.0\.1:\d+|\bfatal\b.*/);
  if (!line.startsWith('listening')) {
    child.kill();
    throw new Error(line);
  }
  return {
    url: line.slice('listening on '.length),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      // One that is busy hears nothing else.
      child.kill('SIGKILL');
      await exit;
    },
  };
}
