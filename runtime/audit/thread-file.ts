type ThreadName = 'writer-thread' | 'reader-thread';

/** The module of a thread, as it runs: as written or as emitted JavaScript. */
export function threadFile(name: ThreadName | `postgres/${ThreadName}`): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${name}.${extension}`, import.meta.url);
}
