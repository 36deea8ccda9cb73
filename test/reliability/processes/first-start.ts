import { openAuditLog } from '../../../runtime/audit/index.ts';
import { createStore } from '../../../runtime/store/index.ts';
import { logOptions } from '../../runtime/audit/audit-note.ts';
import { mark, section, stay } from '../marks.ts';

/** Makes the data directory, the store, the signing key and the log, as the server does. */
const options = logOptions(process.argv[2] ?? '', { key: undefined });
await section(async () => {
  const store = createStore({ dataDir: options.directory });
  const [log] = await Promise.all([openAuditLog(options), store.open()]);
  mark('acknowledged', log.vkey);
});
stay();
