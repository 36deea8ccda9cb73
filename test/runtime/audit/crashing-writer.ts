import { once } from 'node:events';
import { openAuditLog } from '../../../runtime/audit/audit-log.ts';
import { logOptions, note } from './audit-note.ts';

/** Appends until it is killed; each line on standard output is an entry that was acknowledged. */
const [folder = '', round = '0'] = process.argv.slice(2);
const log = await openAuditLog(logOptions(folder));
let next = 0;
for (let writer = 0; writer < 20; writer++) {
  void (async () => {
    for (;;) {
      const number = next++;
      const { seq, hash } = await log.append(note(number, { subject: `${round}/${number}` }));
      process.stdout.write(`${seq} ${hash} ${round}/${number}\n`);
      if (number % 97 === 0) await log.anchorNow();
    }
  })();
}
await once(process, 'SIGTERM');
