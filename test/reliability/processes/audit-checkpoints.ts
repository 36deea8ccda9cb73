import { openAuditLog } from '../../../runtime/audit/index.ts';
import { logOptions, note } from '../../runtime/audit/audit-note.ts';
import { mark, section } from '../marks.ts';

/** Signs and anchors a checkpoint after each entry until it is killed. */
const [folder = '', round = ''] = process.argv.slice(2);
const log = await openAuditLog(logOptions(folder));
for (let number = 0; ; number++) {
  const subject = `${round}/${number}`;
  const { seq, hash } = await log.append(note(number, { subject }));
  mark('acknowledged', `${seq}:${hash}:${subject}`);
  await section(async () => {
    const { size, root } = await log.anchorNow();
    mark('signed', `${size}:${root}`);
  });
}
