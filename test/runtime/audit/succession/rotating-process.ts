import { rotateKeyFile } from '../../../../runtime/audit/succession/rotate.ts';
import { logOptions } from '../audit-note.ts';

/** Rotates the key file of the log in a folder, as `audit rotate` does. */
const [folder = ''] = process.argv.slice(2);
const log = await rotateKeyFile(logOptions(folder, { key: undefined }));
await log.close();
