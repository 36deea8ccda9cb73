import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { suite, test } from 'node:test';
import { parse } from 'yaml';
import { parseDuration } from '../../runtime/contract/config/switch.ts';
import { documents, project } from './documents.ts';

/** One row of docs/limits.md. */
interface Row {
  readonly what: string;
  readonly value: string;
  readonly env: string | undefined;
  readonly reached: string;
  readonly code: { readonly name: string; readonly path: string } | undefined;
}

const page = documents.find(({ name }) => name === 'docs/limits.md');
const rows = (page?.text ?? '').split('\n').flatMap(rowOf);

/** Numbers in the code that nobody can run into, with what they are instead. */
const others: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = parse(
  readFileSync(join(project, 'test/docs/no-limits.yaml'), 'utf8'),
);

suite('docs/limits.md', () => {
  for (const { what, value, env, code } of rows) {
    test(`${what}: ${value}`, () => {
      const amount = amountOf(value);
      assert.ok(amount !== undefined, `"${value}" is no amount`);
      assert.ok(env !== undefined || code !== undefined, 'it names neither a switch nor a place');
      if (env !== undefined) assert.equal(defaultOf(env), amount, env);
      if (code !== undefined) assert.equal(numberIn(code.path, code.name), amount, code.path);
    });
  }

  test('every row says what happens when the limit is reached', () => {
    assert.ok(rows.length > 100, `found ${rows.length}`);
    assert.deepEqual(
      rows.filter(({ reached }) => reached === '').map(({ what }) => what),
      [],
    );
  });

  test('every switch that has a number or a time is there', () => {
    const named = new Set(rows.map(({ env }) => env));
    const missing = [...switches.values()]
      .filter(({ type }) => type === 'integer' || type === 'duration')
      .filter(({ env }) => env !== 'PORT' && !named.has(env));
    assert.deepEqual(missing, []);
  });

  test('every number of the runtime is there, or in no-limits.yaml with what it is instead', () => {
    const known = new Set(rows.map(({ code }) => code && `${code.path} ${code.name}`));
    for (const files of Object.values(others)) {
      for (const [path, names] of Object.entries(files)) {
        for (const name of names) known.add(`${path} ${name}`);
      }
    }
    const missing = numbersOfRuntime().filter((place) => !known.has(place));
    assert.deepEqual(missing, []);
  });

  test('no-limits.yaml names numbers that there are, none of them twice', () => {
    const there = new Set(numbersOfRuntime());
    const named = Object.values(others).flatMap((files) =>
      Object.entries(files).flatMap(([path, names]) => names.map((name) => `${path} ${name}`)),
    );
    assert.deepEqual(
      named.filter((place, index) => !there.has(place) || named.indexOf(place) !== index),
      [],
    );
  });
});

const units: Readonly<Record<string, number>> = {
  '': 1,
  characters: 1,
  bytes: 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** An amount as people write it, in milliseconds where it is a time. */
function amountOf(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^([\d,]+) ?([A-Za-z]*)$/.exec(text) ?? [];
  const factor = units[unit];
  return digits === '' || factor === undefined
    ? undefined
    : Number(digits.replaceAll(',', '')) * factor;
}

function rowOf(line: string): Row[] {
  if (!line.startsWith('| ') || line.startsWith('| What ')) return [];
  const cells = line.split('|').map((cell) => cell.trim());
  const [, what = '', value = '', env = '', reached = '', code = ''] = cells;
  const [, name = '', path = ''] = /^\[`(\w+)`\]\(([^)]+)\)$/.exec(code) ?? [];
  assert.ok(code === '' || name !== '', `${what}: "${code}" is no link to a number in the code`);
  return [
    {
      ...{ what, value, reached },
      env: env === '' ? undefined : env.replaceAll('`', ''),
      code: name === '' ? undefined : { name, path: normalize(join('docs', path)) },
    },
  ];
}

interface Declared {
  readonly env: string;
  readonly type: string;
  readonly default?: number | string;
}

const switches = new Map<string, Declared>(
  [
    ...parse(readFileSync(join(project, 'specs/config.yaml'), 'utf8')).sections.flatMap(
      ({ switches: each }: { switches: Declared[] }) => each,
    ),
    ...globSync('specs/surfaces/*/config.yaml', { cwd: project }).flatMap((path) =>
      Object.values<Declared>(parse(readFileSync(join(project, path), 'utf8')).settings ?? {}),
    ),
  ].map((entry: Declared) => [entry.env, entry]),
);

function defaultOf(env: string): number | undefined {
  const value = switches.get(env)?.default;
  return typeof value === 'string' ? parseDuration(value) : value;
}

const numeral = String.raw`-?\d[\d_]*(?: \*{1,2} \d[\d_]*)*`;

/** The number that a constant or a member of a file has; a time in milliseconds. */
function numberIn(path: string, name: string): number | undefined {
  const source = readFileSync(join(project, path), 'utf8');
  const found = new RegExp(String.raw`\b${name}(?::|(?:: [\w<>]+)? =) (${numeral})[,; ]`).exec(
    source,
  );
  if (!found?.[1]) return undefined;
  const value = evaluate(found[1]);
  return /(?:Seconds|S)$/.test(name) ? value * 1000 : value;
}

function evaluate(expression: string): number {
  return expression
    .replaceAll('_', '')
    .split(' * ')
    .map((factor) =>
      factor
        .split(' ** ')
        .map(Number)
        .reduce((base, power) => base ** power),
    )
    .reduce((product, factor) => product * factor);
}

/** Every constant of a module that is a number, as "path name". */
function numbersOfRuntime(): readonly string[] {
  const constant = new RegExp(String.raw`^(?:export )?const (\w+)(?:: \w+)? = ${numeral};`, 'gm');
  return globSync('runtime/**/*.ts', { cwd: project })
    .sort()
    .flatMap((path) => {
      const source = readFileSync(join(project, path), 'utf8');
      return [...source.matchAll(constant)].map(([, name]) => `${path} ${name}`);
    });
}
