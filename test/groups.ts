import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
/**
 * Write scripts into a folder of their own that each load some of these files, and give their paths:
 * each file is a suite in its script, and one suite runs after the other.
 *
 * @param mostFiles those of one script: few enough that no process works on by itself for long
 */
export function writeGroups(
  paths: readonly string[],
  folder: string,
  mostFiles: number,
): readonly string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return groupsOf(paths, mostFiles).map((group, index) => {
    const script = join(folder, `${index}.mjs`);
    writeFileSync(script, scriptOf(group));
    return script;
  });
}

/** Which files share a process: whole folders where they fit, in the order of the paths. */
function groupsOf(paths: readonly string[], mostFiles: number): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const folder of Map.groupBy(paths, dirname).values()) {
    const last = groups.at(-1);
    if (last !== undefined && last.length + folder.length <= mostFiles) last.push(...folder);
    else groups.push([...folder]);
  }
  return groups;
}

/**
 * Milliseconds after which a process gives others what it has compiled: in a new clone, those that begin
 * while it goes on would compile the same.
 */
const flushMs = 4000;

/** A script that loads these files; one that cannot be loaded is a test that fails. */
function scriptOf(paths: readonly string[]): string {
  const urls = paths.map((path) => [relative(project, path), pathToFileURL(path)]);
  return `import { flushCompileCache } from 'node:module';
import { suite, test } from 'node:test';
setTimeout(flushCompileCache, ${flushMs}).unref();
for (const [path, url] of ${JSON.stringify(urls)}) {
  suite(path, () => import(url).catch((error) => test('loads', () => { throw error; })));
}
`;
}
