import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { generate } from '../../../generator/pipeline/pipeline.ts';
import { put, specsFolder } from '../small-specs.ts';

const released = `thing:
  description: Things that are kept
  key: [tenant, id]
  columns:
    id: ulid
    size: int
`;

/** A folder in which these tables have been released. */
async function releasedFolder(t: TestContext): Promise<string> {
  const base = specsFolder(t);
  put(base, 'specs/surfaces/a/tables.yaml', released);
  assert.ok((await generate({ base })).written);
  return base;
}

async function problemsAfter(base: string, text: string): Promise<readonly string[]> {
  put(base, 'specs/surfaces/a/tables.yaml', text);
  const { diagnostics } = await generate({ base });
  return diagnostics.map(
    ({ code, line, column, message }) => `${line}:${column} ${code} ${message}`,
  );
}

function migrationsIn(base: string): unknown {
  const text = readFileSync(join(base, 'specs/surfaces/a/tables.lock.json'), 'utf8');
  return JSON.parse(text).migrations;
}

const first = [
  {
    create: 'thing',
    columns: { tenant: { type: 'text' }, id: { type: 'text' }, size: { type: 'integer' } },
    key: ['tenant', 'id'],
  },
];

test('the first tables of a surface are its first migration', async (t) => {
  assert.deepEqual(migrationsIn(await releasedFolder(t)), { 'a/1': first });
});

test('a new column, index or table is the next migration, and the same again is none', async (t) => {
  const base = await releasedFolder(t);
  const more = `${released}    note: { type: text, default: '' }
    seen_at: { type: time, nullable: true }
  index: [[seen_at]]
`;
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(await problemsAfter(base, more), []);
    assert.deepEqual(migrationsIn(base), {
      'a/1': first,
      'a/2': [
        { add: 'note', to: 'thing', column: { type: 'text', default: '' } },
        { add: 'seen_at', to: 'thing', column: { type: 'integer', nullable: true } },
        { index: 'thing_seen_at', on: 'thing', columns: ['seen_at'] },
      ],
    });
  }
});

test('a column that was released does not change, go or come without a value', async (t) => {
  const base = await releasedFolder(t);
  assert.deepEqual(await problemsAfter(base, released.replace('size: int', 'size: text')), [
    '6:5 TABLE001 the column thing.size was released as integer and is text now',
  ]);
  assert.deepEqual(await problemsAfter(base, released.replace('    size: int\n', '')), [
    '4:3 TABLE001 the column thing.size was released and is gone',
  ]);
  assert.deepEqual(await problemsAfter(base, `${released}    note: text\n`), [
    '7:5 TABLE001 thing.note is new in a table that has rows: it needs a default, or nullable: true',
  ]);
  assert.deepEqual(await problemsAfter(base, released.replace('[tenant, id]', '[tenant, size]')), [
    '3:3 TABLE001 the key of thing was released as tenant, id',
  ]);
  assert.deepEqual(await problemsAfter(base, released.replace('thing:', 'other:')), [
    '1:1 TABLE001 the table thing was released and is gone',
  ]);
  // Nothing of that was written.
  assert.deepEqual(migrationsIn(base), { 'a/1': first });
});

test('an index that was released keeps its columns, and is shown where it lists others', async (t) => {
  const base = await releasedFolder(t);
  const index = (columns: string) =>
    `${released}  index:\n    - [id]\n    - name: largest\n      columns: ${columns}\n`;
  assert.deepEqual(await problemsAfter(base, index('[size]')), []);
  assert.deepEqual(await problemsAfter(base, index('[size, id]')), [
    '10:7 TABLE001 the index thing_largest was released with other columns: size',
  ]);
});

test('what is kept in the same way may be called otherwise', async (t) => {
  const base = await releasedFolder(t);
  assert.deepEqual(await problemsAfter(base, released.replace('id: ulid', 'id: text')), []);
  assert.deepEqual(migrationsIn(base), { 'a/1': first });
});
