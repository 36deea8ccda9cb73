import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { runCli } from '../run-cli.ts';

/** What a call puts into the log. */
export const note =
  '{"operation":"append","category":"plan","action":"decided","summary":"Chose blue"}';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cli-audit-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The environment of a command line whose data and anchors are in `folder`. */
const inFolder = (folder: string) => ({
  SERVICE_DATA_DIR: join(folder, 'data'),
  SERVICE_PROVIDER: 'osv',
});

const original = temporaryFolder();
const made = await runCli(['call', 'audit', note], inFolder(original));
assert.equal(made.code, 0, made.stderr);
/** Verifies the log, and every copy of it. */
export const vkey = (await runCli(['audit', 'vkey'], inFolder(original))).stdout.trim();

/** A command line over a copy of the log with the note. */
export function logWithNote() {
  const folder = temporaryFolder();
  cpSync(original, folder, { recursive: true });
  const env = inFolder(folder);
  const audit = (...words: string[]) => runCli(['audit', ...words], env);
  return { folder, env, audit };
}
