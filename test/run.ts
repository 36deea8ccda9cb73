import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Runs the fast tests, or those of the patterns that it is given. A process that loads the runtime
// takes longer to start than most files take to run, so neighbours share one: each file is a suite
// in it, and one suite runs after the other.

const project = fileURLToPath(new URL('..', import.meta.url));
const scripts = join(project, 'node_modules', '.cache', 'test-groups');
/** Files that share a process: few enough that no process works on by itself for long. */
const mostFiles = 20;
const processes = 4;
/** Milliseconds after which a test hangs, and a whole process. */
const [testTimeout, processTimeout] = [600_000, 3_600_000];

/**
 * What does not share: it starts processes and waits for them, changes what belongs to all, or looks
 * at what a process has loaded or how much memory it takes.
 */
const alone = [
  'test/clients/*.test.ts',
  'test/corpus/corpus.test.ts',
  'test/generator/{generate-command,golden}.test.ts',
  'test/runtime/cli/*.test.ts',
  'test/runtime/house/first-list.test.ts',
  'test/runtime/mcp/fuzz.test.ts',
  'test/runtime/mcp/sessions/loading.test.ts',
  'test/runtime/sandbox/attacks.test.ts',
];

/** Which files share a process: whole folders where they fit, in the order of the tree. */
function groupsOf(paths: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const folder of Map.groupBy(paths, dirname).values()) {
    const last = groups.at(-1);
    if (last !== undefined && last.length + folder.length <= mostFiles) last.push(...folder);
    else groups.push([...folder]);
  }
  return groups;
}

/** A script that loads these files; one that cannot be loaded is a test that fails. */
function scriptOf(paths: readonly string[]): string {
  const urls = paths.map((path) => [path, pathToFileURL(join(project, path))]);
  return `import { suite, test } from 'node:test';
for (const [path, url] of ${JSON.stringify(urls)}) {
  suite(path, () => import(url).catch((error) => test('loads', () => { throw error; })));
}
`;
}

function write(paths: readonly string[], index: number): string {
  const script = join(scripts, `${index}.mjs`);
  writeFileSync(script, scriptOf(paths));
  return script;
}

const given = process.argv.slice(2);
const paths = globSync(given.length > 0 ? given : ['test/**/*.test.ts'], { cwd: project }).sort();
const own = new Set(globSync(alone, { cwd: project }));
rmSync(scripts, { recursive: true, force: true });
mkdirSync(scripts, { recursive: true });
const files = [
  ...paths.filter((path) => own.has(path)).map((path) => join(project, path)),
  ...groupsOf(paths.filter((path) => !own.has(path))).map(write),
];

run({
  files,
  cwd: project,
  concurrency: processes,
  timeout: processTimeout,
  execArgv: [`--test-timeout=${testTimeout}`],
})
  .on('test:fail', () => {
    process.exitCode = 1;
  })
  .compose(spec)
  .pipe(process.stdout);
