import { openAuditLog } from '../../../../runtime/audit/engine/audit-log.ts';
import { logOptions, note } from '../audit-note.ts';

/** Appends until the disk is full, and prints what became of it. */
const log = await openAuditLog(logOptions(process.argv[2] ?? ''));
let taken = 0;
let refusal: unknown;
while (refusal === undefined && taken < 100_000) {
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => log.append(note(taken))),
  );
  taken += results.filter(({ status }) => status === 'fulfilled').length;
  const refused = results.find((result) => result.status === 'rejected');
  if (refused !== undefined) refusal = { code: refused.reason.code, status: refused.reason.status };
}
const { state } = log.status();
const { issues, records } = await log.verify();
console.log(JSON.stringify({ taken, refusal, state, issues, records }));
await log.close();
