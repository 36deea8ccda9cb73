import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));
const trees = ['runtime', 'generator'];
/** Verifies a log wherever it is copied to, so it stands in one file. */
const longFile = 'runtime/audit/verify/verify.ts';
const mostFiles = 20;
const mostLines = 400;

const paths = trees.flatMap(filesOf).sort();
/** What a golden folder holds is written by the generator. */
const written = [...paths, ...filesOf('test').filter((path) => !path.startsWith('test/golden/'))];

/** The files of these trees that each of them imports; types too, for whoever reads needs them. */
const imports = new Map(paths.map((path) => [path, importsOf(path)]));

function filesOf(tree: string): readonly string[] {
  return readdirSync(join(project, tree), { recursive: true, encoding: 'utf8' })
    .map((path) => join(tree, path))
    .filter((path) => path.endsWith('.ts'));
}

function importsOf(path: string): readonly string[] {
  const text = readFileSync(join(project, path), 'utf8');
  const named = [...text.matchAll(/(?:\bfrom|\bimport\() ?'([^']+)'/g)].map(
    ([, name = '']) => name,
  );
  return [...new Set(named.flatMap((name) => targetOf(name, path)))].filter((target) =>
    paths.includes(target),
  );
}

function targetOf(name: string, path: string): readonly string[] {
  if (name.startsWith('#contract/')) return [`runtime/contract/${name.slice(10)}.ts`];
  return name.startsWith('.') ? [normalize(join(dirname(path), name))] : [];
}

/** The room of a file: a folder of its tree, or the root of the tree itself. */
function roomOf(path: string): string {
  const [tree = '', room = '', ...rest] = path.split('/');
  return rest.length === 0 ? tree : `${tree}/${room}`;
}

test('no folder holds more files than a reader takes in', () => {
  const counts = Map.groupBy(written, dirname);
  const full = [...counts].filter(([, files]) => files.length > mostFiles);
  assert.deepEqual(
    full.map(([folder]) => folder),
    [],
  );
});

test('no file is longer than it may be, but the one that stands alone', () => {
  const long = written.filter(
    (path) => readFileSync(join(project, path), 'utf8').split('\n').length > mostLines + 1,
  );
  assert.deepEqual(long, [longFile]);
});

test('beside its rooms, the runtime has the composition root and nothing else', () => {
  assert.deepEqual(
    paths.filter((path) => dirname(path) === 'runtime'),
    ['runtime/main.ts'],
  );
});

test('no two rooms import each other, but the composition root and its commands', () => {
  const arrows = new Set(
    [...imports].flatMap(([path, targets]) =>
      targets.flatMap((target) => {
        const [from, to] = [roomOf(path), roomOf(target)];
        return from === to ? [] : [`${from} ${to}`];
      }),
    ),
  );
  const both = [...arrows].filter((arrow) => arrows.has(arrow.split(' ').toReversed().join(' ')));
  assert.deepEqual(
    both.filter((arrow) => !arrow.includes('runtime/commands')),
    [],
  );
  assert.ok(arrows.size > 50 && arrows.size <= 130, `${arrows.size} arrows`);
});

test('no file imports itself by way of others', () => {
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' -> '));
    if (finished.has(path) || way.includes(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...way, path]);
    finished.add(path);
  };
  for (const path of paths) visit(path, []);
  assert.deepEqual(circles, []);
});

test('a surface imports the contract, its own files and what is generated for it', () => {
  const foreign = paths
    .filter((path) => path.startsWith('runtime/surfaces/'))
    .flatMap((path) => {
      const [, , id = ''] = path.split('/');
      // The events of the bus are generated for all surfaces together.
      const own = [`runtime/surfaces/${id}/`, `generated/surfaces/${id}/`, 'generated/events.ts'];
      const text = readFileSync(join(project, path), 'utf8');
      return [...text.matchAll(/'(\.\.?\/[^']+)'/g)]
        .map(([, name = '']) => normalize(join(dirname(path), name)))
        .filter((target) => !own.some((folder) => target.startsWith(folder)))
        .map((target) => `${path} imports ${target}`);
    });
  assert.deepEqual(foreign, []);
});

test('a test that a comment names is there', () => {
  const named = paths.flatMap((path) =>
    [...readFileSync(join(project, path), 'utf8').matchAll(/\btest\/[\w./-]+\.ts\b/g)].map(
      ([name]) => name,
    ),
  );
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter((name) => !existsSync(join(project, name))),
    [],
  );
});
