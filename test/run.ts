import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { writeGroups } from './groups.ts';
import { RunningFiles } from './running-files.ts';

// Runs the fast tests, or those of the patterns that it is given. A process that loads the runtime
// takes longer to start than most files take to run, so neighbours share one: each file is a suite
// in it, and one suite runs after the other. Slow tests have a process each.
//
// What failed beside others is run once more alone, and said at the end: a fault fails again, and a
// test that needs a quiet machine is named until it no longer does.

const project = fileURLToPath(new URL('..', import.meta.url));
const scripts = join(project, 'node_modules', '.cache', 'test-groups');
/** Files that share a process; those of surfaces have whole servers, and take longer. */
const [mostOfSurfaces, mostFiles] = [20, 30];
/** Processes at once; slow tests start servers and chains beside themselves, and wait for them. */
const [fastProcesses, slowProcesses] = [4, 3];
/** Milliseconds after which a test hangs; a slow one has longer. */
const [testTimeout, slowTimeout] = [600_000, 1_200_000];
/** And a process, with all of its files. */
const processTimeout = 1_500_000;

/**
 * Megabytes of new objects before the first collection. Servers and their threads live for one test:
 * while V8 lets this room grow from one megabyte, it copies what is about to be left anyway.
 */
const youngMegabytes = 16;

/** Files in memory, on Linux, and the bytes that have to be free there. */
const [memory, memoryNeeded] = ['/dev/shm', 2 * 1024 ** 3];

/**
 * What does not share: it starts processes and waits for them, changes what belongs to all, or looks
 * at what a process has loaded or how much memory it takes.
 */
const alone = [
  'test/generator/{generate-command,golden}.test.ts',
  'test/runtime/cli/**/*.test.ts',
  'test/runtime/house/first-list.test.ts',
  'test/runtime/mcp/sessions/loading.test.ts',
  'test/runtime/sandbox/attacks.test.ts',
];

/**
 * What takes longest begins first, in this order, so that none of it is left to the end: those who
 * begin with it, or lie in it. Surfaces are tested with whole servers.
 */
const longest = [
  'test/docs/commands.slow.ts',
  'test/reliability/reliability.slow.ts',
  'test/surfaces/identity/replicas',
  'test/surfaces/identity',
  'test/surfaces/commerce',
  'test/surfaces',
];

/** Paths by when they begin; those of a rank stay in the order of the tree. */
function byRank(paths: readonly string[]): readonly string[] {
  const rank = (path: string) => {
    const found = longest.findIndex((beginning) => path.startsWith(beginning));
    return found === -1 ? longest.length : found;
  };
  return paths.toSorted((one, other) => rank(one) - rank(other));
}

/**
 * Have the fast tests keep their files in memory where there is room: each server begins with a dozen
 * commits, and no test of this kind is about the disk. Slow ones install and clone, and kill servers
 * that write: they have the disk.
 */
function keepFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !hasRoom(memory)) return;
  const folder = mkdtempSync(join(memory, 'tests-'));
  // Like any folder of the kind: some tests act as another account.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= memoryNeeded;
  } catch {
    return false;
  }
}

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** The files of which something failed. */
  readonly failing: readonly string[];
}

/** Runs files, prints what they do, and tells what came of it. */
async function outcomeOf(files: readonly string[], processes: number): Promise<Outcome> {
  const failing = new Set<string>();
  let [passed, failed] = [0, 0];
  const tests = run({
    files,
    cwd: project,
    concurrency: processes,
    execArgv: slow
      ? [`--test-timeout=${slowTimeout}`]
      : [`--test-timeout=${testTimeout}`, `--min-semi-space-size=${youngMegabytes}`],
  }).on('test:summary', ({ file, success, counts }) => {
    if (file === undefined) {
      passed = counts.passed;
      failed = counts.tests - counts.passed - counts.skipped - counts.todo;
    } else if (!success) failing.add(file);
  });
  // A process that dies gives no summary: its file is what failed.
  tests.on('test:fail', ({ file }) => {
    if (file !== undefined && files.includes(file)) failing.add(file);
  });
  tests.on('test:dequeue', ({ name }) => {
    if (files.includes(name)) running.begin(name);
  });
  tests.on('test:complete', ({ name }) => running.end(name));
  const printed = tests.compose(spec);
  printed.pipe(process.stdout, { end: false });
  await finished(printed);
  return { passed, failed, failing: [...failing] };
}

const running = new RunningFiles(project, processTimeout);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    running.tell();
    process.exit(1);
  });
}

const slow = process.argv.includes('--slow');
const given = process.argv.slice(2).filter((argument) => argument !== '--slow');
const usual = slow ? 'test/**/*.slow.ts' : 'test/**/*.test.ts';
const paths = byRank(globSync(given.length > 0 ? given : [usual], { cwd: project }).sort());
const own = new Set(slow ? paths : globSync(alone, { cwd: project }));
if (!slow) keepFilesInMemory();
const whole = (path: string) => join(project, path);
const shared = paths.filter((path) => !own.has(path));
const isOfSurface = (path: string) => path.startsWith('test/surfaces/');
const grouped = (some: readonly string[], name: string, most: number) =>
  writeGroups(some.map(whole), join(scripts, name), most);
const files = [
  ...paths.filter((path) => own.has(path)).map(whole),
  ...grouped(shared.filter(isOfSurface), 'surfaces', mostOfSurfaces),
  ...grouped(
    shared.filter((path) => !isOfSurface(path)),
    'others',
    mostFiles,
  ),
];

const first = await outcomeOf(files, slow ? slowProcesses : fastProcesses);
if (first.failed > 0) {
  const again = first.failing.length > 0 ? await outcomeOf(first.failing, 1) : first;
  for (const file of first.failing) {
    const verdict = again.failing.includes(file)
      ? 'failed twice'
      : 'failed beside others, passed alone';
    console.log(`↻ ${verdict}: ${relative(project, file)}`);
  }
  console.log(`ℹ pass ${first.passed + first.failed - again.failed}\nℹ fail ${again.failed}`);
  if (again.failed > 0) process.exitCode = 1;
}
