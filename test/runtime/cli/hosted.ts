import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Env, type Finished, ownVariables } from './run-cli.ts';

export interface CommandLine {
  readonly args: readonly string[];
  readonly env: Env;
}

const script = fileURLToPath(new URL('command-host.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cli-hosted-'));
let child: ChildProcess | undefined;

after(() => {
  // Whatever command it has run last may wait for the other signals.
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Run a command line in a process that runs the others of a file too: starting one is what takes
 * time. Whether a command line ends its process, and what it leaves open, only `runCli` shows.
 */
export async function hosted(args: readonly string[], env: Env = {}): Promise<Finished> {
  child ??= fork(script, {
    env: { ...ownVariables(), SERVICE_DATA_DIR: join(folder, 'data') },
    execArgv: [],
  });
  child.send({ args, env } satisfies CommandLine);
  const [finished] = await once(child, 'message');
  return finished;
}
