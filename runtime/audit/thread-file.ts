/** The module of a thread beside this file, as it runs: as written or as emitted JavaScript. */
export function threadFile(name: 'writer-thread' | 'reader-thread'): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${name}.${extension}`, import.meta.url);
}
