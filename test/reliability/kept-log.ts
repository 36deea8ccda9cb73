import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AuditIssue } from '#contract/house/audit';
import { verifyPath } from '../../runtime/audit/index.ts';
import { Signer } from '../../runtime/audit/keys/signing-key.ts';

const origin = 'tools.example.com/audit';

const { vkey: testKey } = new Signer(origin, Buffer.alloc(32, 7));

/** What a killed process has left of its log. */
export interface KeptLog {
  /** `seq:hash:subject` of the notes. */
  readonly notes: readonly string[];
  /** `subject:run` of the notes. */
  readonly runs: readonly string[];
  readonly actions: readonly string[];
  /** `size:root` of what was signed. */
  readonly checkpoints: readonly string[];
}

/** Read the log in a folder, past the code that wrote it. */
export function readLog(folder: string): KeptLog {
  const database = new DatabaseSync(pathIn(folder), { readOnly: true });
  const rows = database
    .prepare('SELECT seq, lower(hex(hash)) AS hash, CAST(bytes AS TEXT) AS text FROM entry')
    .all();
  const signed = database.prepare('SELECT size, root FROM checkpoint').all();
  database.close();
  const entries = rows.map(({ seq, hash, text }) => ({ seq, hash, ...JSON.parse(String(text)) }));
  const notes = entries.filter(({ action }) => action === 'AGENT_NOTE');
  return {
    notes: notes.map(({ seq, hash, subject }) => `${seq}:${hash}:${subject}`),
    runs: notes.map(({ subject, correlation_id }) => `${subject}:${correlation_id}`),
    actions: entries.map(({ action }) => String(action)),
    checkpoints: signed.map(
      ({ size, root }) => `${size}:${Buffer.from(root as Uint8Array).toString('base64')}`,
    ),
  };
}

/** What the verifier says, with the newest checkpoint in the anchor if one has come that far. */
export function logProblems(folder: string, vkey = testKey): readonly AuditIssue[] {
  const anchored = join(folder, 'anchor', encodeURIComponent(origin), 'newest');
  const outside = existsSync(anchored) ? [readFileSync(anchored, 'utf8')] : [];
  return verifyPath(pathIn(folder), vkey, outside).issues;
}

function pathIn(folder: string): string {
  return join(folder, 'data', 'audit.sqlite');
}
