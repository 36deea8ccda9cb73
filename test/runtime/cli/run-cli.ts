import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../../runtime/cli.js', import.meta.url));

export type Env = Readonly<Record<string, string>>;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Start the command line in a process of its own, with a data directory of its own unless `env`
 * names one; no variable of ours reaches it but `env`. With `uid` another user runs it.
 */
export function startCli(args: readonly string[], env: Env = {}, uid?: number): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'cli-data-'));
  // The audit log puts its anchors beside its data.
  const dataDir = join(folder, 'data');
  const child = spawn(process.execPath, [cli, ...args], {
    env: { ...ownVariables(), SERVICE_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return child;
}

/** Run the command line to its end. */
export async function runCli(
  args: readonly string[],
  env: Env = {},
  uid?: number,
): Promise<Finished> {
  const child = startCli(args, env, uid);
  const [stdout, stderr, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

/** The variables that every process needs. */
export function ownVariables(): Env {
  const { PATH = '', HOME = '', TMPDIR, WITHOUT_CONTROL, NODE_OPTIONS = '' } = process.env;
  return {
    ...{ PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }) },
    // What is taken out of the product is out of all of its processes.
    ...(WITHOUT_CONTROL !== undefined && { WITHOUT_CONTROL, NODE_OPTIONS }),
  };
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}
