import { ServiceError } from '#contract/errors';
import { openAuditLog } from '../../../../runtime/audit/engine/audit-log.ts';
import { logOptions, note } from '../audit-note.ts';

/**
 * One replica that appends until it is killed. Each line on standard output is an entry that was
 * acknowledged, or one that was refused; nobody sends a refused one again.
 */
const [folder = '', databaseUrl = '', name = ''] = process.argv.slice(2);
const log = await openAuditLog(logOptions(folder, { databaseUrl }));
let next = 0;

async function append(): Promise<void> {
  const number = next++;
  const subject = `${name}/${number}`;
  try {
    const { seq, hash } = await log.append(note(number, { subject }));
    process.stdout.write(`acknowledged ${seq} ${hash} ${subject} .\n`);
    if (number % 97 === 0) await log.anchorNow();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 503) throw error;
    process.stdout.write(`refused ${subject}\n`);
  }
}

for (let writer = 0; writer < 20; writer++) {
  void (async () => {
    for (;;) await append();
  })();
}
