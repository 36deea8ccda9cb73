import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { AuditEvent, AuditLog } from '#contract/house/audit';
import { createFileAnchor } from '../../../runtime/audit/anchors/file-anchor.ts';
import { type AuditLogOptions, openAuditLog } from '../../../runtime/audit/engine/audit-log.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

/** An event as an agent writes it, with something of its own. */
export function note(number: number, changes: Partial<AuditEvent> = {}): AuditEvent {
  return {
    category: 'system',
    action: 'AGENT_NOTE',
    actor: { type: 'agent', id: `agent-${number}` },
    tenant: 'default',
    subject: null,
    outcome: 'ok',
    correlation_id: `call-${number}`,
    summary: `note ${number}`,
    payload: { number, text: 'Grüße, 世界 😀' },
    ...changes,
  };
}

/** A folder that is gone when the test is over. */
export function temporaryFolder(context: TestContext): string {
  return temporaryDirectory(context, 'audit-');
}

/** What opens the log of `folder`, with its anchor beside the data. */
export function logOptions(
  folder: string,
  changes: Partial<AuditLogOptions> = {},
): AuditLogOptions {
  return {
    directory: join(folder, 'data'),
    origin: 'tools.example.com/audit',
    key: Buffer.alloc(32, 7).toString('base64'),
    anchors: [createFileAnchor(join(folder, 'anchor'))],
    ...changes,
  };
}

/** Open a log that is closed when the test is over. */
export async function openLog(
  context: TestContext,
  folder: string,
  changes: Partial<AuditLogOptions> = {},
): Promise<AuditLog> {
  const log = await openAuditLog(logOptions(folder, changes));
  context.after(() => log.close());
  return log;
}

/** Append notes with the numbers from `first` on, all at once. */
export async function appendNotes(log: AuditLog, count: number, first = 0): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => log.append(note(first + index))));
}
