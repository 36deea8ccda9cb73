import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variablesOf } from './expansions.ts';

/** How long the collector may look at a file. */
const mostMs = 20_000;
/** Characters of what it says that are told on. */
const mostSaid = 1000;

/** What a collector says of a file that it does not take, in one line. */
export interface Verdict {
  readonly ok: boolean;
  readonly said: string;
}

/**
 * Have the real collector look at a file (`validate`): it builds everything and opens no port. It gets
 * none of this server's environment, and something in the place of each credential.
 */
export async function validateWith(binary: string, text: string): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'collector-file-'));
  try {
    const path = join(folder, 'config.yaml');
    // A credential in a file belongs to the collector, and this process may not read it.
    await writeFile(path, text.replaceAll(/\$\{file:[^}]*\}/g, 'placeholder'), { mode: 0o600 });
    const env = Object.fromEntries(variablesOf(text).map((name) => [name, 'placeholder']));
    return await run(binary, ['validate', `--config=${path}`], {
      ...env,
      SERVICE_COLLECTOR_QUEUE_DIR: join(folder, 'queue'),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(binary: string, args: readonly string[], env: Record<string, string>) {
  return new Promise<Verdict>((resolve) => {
    const child = spawn(binary, args, {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: mostMs,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      said = `${said}${piece}`.slice(0, 20 * mostSaid);
    });
    child.on('error', (error) =>
      resolve({ ok: false, said: `it does not start: ${error.message}` }),
    );
    child.on('close', (code, signal) => {
      const ending = signal === null ? `status ${code}` : `ended by ${signal}`;
      resolve({ ok: code === 0, said: readable(said) || ending });
    });
  });
}

/** One line without control characters and dates. */
function readable(said: string): string {
  const line = said.replaceAll(/\p{C}+/gu, ' ').replaceAll(/^\S+Z?\s+(?=Error)/g, '');
  return line.trim().slice(0, mostSaid);
}
