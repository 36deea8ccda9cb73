import { moduleFile } from '../module-file.ts';

type ThreadName = 'writer-thread' | 'reader-thread';

/** The module of a thread of the audit log. */
export function threadFile(name: ThreadName | `postgres/${ThreadName}`): URL {
  return moduleFile(`./${name}`, import.meta.url);
}
