import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import packageFile from '../../package.json' with { type: 'json' };

/** A server under test in a process of its own; the load comes from this process. */
export interface ServerProcess {
  readonly url: string;
  /** Resident memory in MB. */
  residentMemory(): Promise<number>;
  /** Processor time of its main thread so far, in microseconds. */
  mainThreadTime(): Promise<number>;
  /** The same of all its threads. */
  processorTime(): Promise<number>;
  /** Have the server do something of its own accord; gives when it began, in milliseconds since the epoch. */
  act(name: string): Promise<number>;
  stop(): Promise<void>;
}

/** The product keeps compiled code too; without it, type stripping alone takes 20 MB. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/bench', import.meta.url));

/** What `npm start` tells Node about memory. */
export const startFlags: readonly string[] = packageFile.scripts.start
  .split(' ')
  .filter((word) => word.startsWith('--'));

/** Start `servers/<name>.ts`, which sends its URL once it listens, and what it uses when asked. */
export async function startServer(
  name: string,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<ServerProcess> {
  const script = fileURLToPath(new URL(`servers/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [...flags, script], {
    env: { ...process.env, NODE_ENV: 'production', NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { url } = (await message(child)) as { url: string };
  return {
    url,
    async residentMemory() {
      child.send('memory');
      const { rss } = (await message(child)) as { rss: number };
      return rss / 1e6;
    },
    async mainThreadTime() {
      child.send('cpu');
      const { cpu } = (await message(child)) as { cpu: number };
      return cpu;
    },
    async processorTime() {
      child.send('cpu');
      const { wholeCpu } = (await message(child)) as { wholeCpu: number };
      return wholeCpu;
    },
    async act(name) {
      child.send(name);
      const { at } = (await message(child)) as { at: number };
      return at;
    },
    async stop() {
      const exit = once(child, 'exit');
      // It ends of its own accord, for a process that is killed keeps nothing of what it compiled.
      child.disconnect();
      await exit;
    },
  };
}

async function message(child: ChildProcess): Promise<unknown> {
  const settled = new AbortController();
  const { signal } = settled;
  const exit = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`the server under test ended with code ${code}`);
  });
  try {
    const [received] = (await Promise.race([once(child, 'message', { signal }), exit])) as [
      unknown,
    ];
    return received;
  } finally {
    exit.catch(() => {});
    settled.abort();
  }
}
