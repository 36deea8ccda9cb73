import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { AuditLog } from '#contract/house/audit';
import { Signer } from '../../../../runtime/audit/keys/signing-key.ts';
import { appendNotes, openLog, temporaryFolder } from '../audit-note.ts';

export const folder = 'tools.example.com%2Faudit/';
export const signer = new Signer('tools.example.com/audit', Buffer.alloc(32, 7));
export const { signal } = new AbortController();

export function keyOf(size: number): string {
  return `${folder}checkpoints/${String(size).padStart(20, '0')}`;
}

/** A log that has nobody but the anchor of the test to talk to. */
function ownLog(t: TestContext): Promise<AuditLog> {
  return openLog(t, temporaryFolder(t), { anchors: [] });
}

export async function signedLog(t: TestContext, entries: number) {
  const log = await ownLog(t);
  await appendNotes(log, entries - 1);
  return { log, checkpoint: await log.anchorNow() };
}

export function filesIn(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(path, name)).isFile())
    .sort();
}
