import { openAuditLog } from '../../../runtime/audit/index.ts';
import { logOptions, note } from '../../runtime/audit/audit-note.ts';
import { inFlight } from '../in-flight.ts';

/** One replica of the benchmark: appends as many as it is told to, and tells what was acknowledged. */
const [folder = '', databaseUrl = ''] = process.argv.slice(2);
const log = await openAuditLog(logOptions(folder, { databaseUrl }));
process.on('message', async (count: number) => {
  const acknowledged: string[] = [];
  await inFlight(1000, count, async (number) => {
    const { seq, hash } = await log.append(note(number));
    acknowledged.push(`${seq}:${hash}`);
  });
  process.send?.(acknowledged);
});
process.on('disconnect', () => log.close());
process.send?.('ready');
