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

const script = fileURLToPath(new URL('refusing-process.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cli-refused-'));
let child: ChildProcess | undefined;

after(() => {
  child?.kill();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Run a command line that is refused before it has done anything. One process is enough for all of
 * a file: starting it is what takes time.
 */
export async function refused(args: readonly string[], env: Env = {}): Promise<Finished> {
  child ??= fork(script, {
    env: { ...ownVariables(), SERVICE_DATA_DIR: join(folder, 'data') },
    execArgv: [],
  });
  child.send({ args, env } satisfies CommandLine);
  const [finished] = await once(child, 'message');
  return finished;
}
