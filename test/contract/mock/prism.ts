import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { firstMatch } from '../setup/server.ts';
import type { WholeDocument } from './document/whole-document.ts';

const prismFile = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
const keeping = ['--import', join(import.meta.dirname, 'keep-references.ts')];

/** How long a mock may read before it listens, in milliseconds, where nothing else is said. */
const startMs = 180_000;

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

/** What a mock reads. */
type Read = Pick<WholeDocument, 'file' | 'keepsReferences'>;

/**
 * Start Prism on a description. Answers that it makes up are the same in every run.
 *
 * @param most milliseconds that it may read before it listens
 * @throws Error with what it wrote when it cannot read the description, or when it does not listen
 */
export async function startPrism(document: Read, most = startMs): Promise<Mock> {
  let running = await start(document, most);
  return {
    get url() {
      return running.url;
    },
    async revive() {
      await running.stop();
      running = await start(document, most);
    },
    stop: () => running.stop(),
  };
}

async function start({ file, keepsReferences }: Read, most: number): Promise<Running> {
  const options = ['--max-http-header-size=1048576', ...(keepsReferences ? keeping : [])];
  const child = spawn(
    process.execPath,
    [...options, prismFile, 'mock', '-p', '0', '--seed', 'contract', file],
    {
      env: { ...process.env, NODE_NO_WARNINGS: '1', SCARF_ANALYTICS: 'false' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, most);
  try {
    const line = await firstMatch(child, /listening on http:\/\/127\.0\.0\.1:\d+|\bfatal\b.*/);
    if (line.startsWith('listening')) return running(child, line.slice('listening on '.length));
    child.kill('SIGKILL');
    throw new Error(line);
  } catch (error) {
    throw isLate ? new Error(`set aside: the mock does not listen within ${most / 1000} s`) : error;
  } finally {
    clearTimeout(timer);
  }
}

function running(child: ReturnType<typeof spawn>, url: string): Running {
  return {
    url,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      // One that is busy hears nothing else.
      child.kill('SIGKILL');
      await exit;
    },
  };
}
