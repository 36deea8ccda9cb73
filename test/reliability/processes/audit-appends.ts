import { setTimeout as sleep } from 'node:timers/promises';
import { openAuditLog } from '../../../runtime/audit/index.ts';
import { logOptions, note } from '../../runtime/audit/audit-note.ts';
import { mark, section } from '../marks.ts';

/** Appends in bursts until it is killed, and tells what was acknowledged. */
const [folder = '', round = ''] = process.argv.slice(2);
const log = await openAuditLog(logOptions(folder));
let number = 0;

async function append(): Promise<void> {
  const subject = `${round}/${number++}`;
  const { seq, hash } = await log.append(note(number, { subject }));
  mark('acknowledged', `${seq}:${hash}:${subject}`);
}

for (let burst = 0; ; burst++) {
  await section(() => Promise.all(Array.from({ length: 1 + ((burst * 7) % 40) }, append)));
  await sleep(burst % 3);
}
