import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { UnsafePathError, WriteError } from '../../generator/write/put-file.ts';
import { textOf, writeFiles } from '../../generator/write/write.ts';
import { put } from './small-specs.ts';

function folder(t: TestContext): string {
  const base = mkdtempSync(join(tmpdir(), 'write-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  return base;
}

test('only files whose bytes change are touched', (t) => {
  const base = folder(t);
  put(base, 'generated/same.ts', 'same');
  put(base, 'generated/other.ts', 'old');
  const long = new Date('2020-01-01');
  utimesSync(join(base, 'generated/same.ts'), long, long);
  const files = [
    { path: 'generated/same.ts', text: 'same' },
    { path: 'generated/other.ts', text: 'new' },
    { path: 'generated/a/b/new.ts', text: 'new' },
  ];
  assert.deepEqual(writeFiles(base, files, []), {
    written: ['generated/other.ts', 'generated/a/b/new.ts'],
    deleted: [],
    unchanged: 1,
  });
  assert.equal(statSync(join(base, 'generated/same.ts')).mtime.getTime(), long.getTime());
  assert.equal(textOf(base, 'generated/a/b/new.ts'), 'new');
});

test('what an earlier run wrote and this one does not is deleted, with the folder it leaves empty', (t) => {
  const base = folder(t);
  put(base, 'generated/providers/old/index.ts', 'old');
  put(base, 'generated/providers/kept.ts', 'nobody listed it');
  const { deleted } = writeFiles(
    base,
    [],
    ['generated/providers/old/index.ts', 'generated/gone.ts'],
  );
  assert.deepEqual(deleted, ['generated/providers/old/index.ts']);
  assert.equal(existsSync(join(base, 'generated/providers/old')), false);
  assert.equal(textOf(base, 'generated/providers/kept.ts'), 'nobody listed it');
});

for (const path of [
  'elsewhere/a.ts',
  'generated/../outside.ts',
  'generated//a.ts',
  'generated/./a.ts',
  'generated\\..\\a.ts',
  '/etc/passwd',
  'specs/providers/x/openapi.yaml',
  'specs/providers/x/y/tools.lock.json',
  'specs/providers/../tools.lock.json',
]) {
  test(`nothing is written to ${path}`, (t) => {
    const base = folder(t);
    const files = [
      { path: 'generated/first.ts', text: 'x' },
      { path, text: 'x' },
    ];
    assert.throws(() => writeFiles(base, files, []), UnsafePathError);
    assert.equal(existsSync(join(base, 'generated/first.ts')), false, 'nothing at all is written');
  });
}

test('a manifest cannot make us delete what is not ours', (t) => {
  const base = folder(t);
  put(base, 'precious.txt', 'x');
  put(base, 'specs/providers/x/tools.lock.json', 'x');
  writeFiles(base, [], ['precious.txt', 'specs/providers/x/tools.lock.json']);
  assert.throws(() => writeFiles(base, [], ['generated/../precious.txt']), UnsafePathError);
  assert.equal(textOf(base, 'precious.txt'), 'x');
  assert.equal(textOf(base, 'specs/providers/x/tools.lock.json'), 'x');
});

test('a symbolic link is not followed, neither as a folder nor as a file', (t) => {
  const base = folder(t);
  const outside = folder(t);
  mkdirSync(join(base, 'generated'));
  symlinkSync(outside, join(base, 'generated/linked'));
  put(outside, 'target.ts', 'x');
  symlinkSync(join(outside, 'target.ts'), join(base, 'generated/file.ts'));
  for (const path of ['generated/linked/a.ts', 'generated/file.ts']) {
    assert.throws(() => writeFiles(base, [{ path, text: 'y' }], []), UnsafePathError);
    assert.throws(() => writeFiles(base, [], [path]), UnsafePathError);
  }
  assert.equal(textOf(outside, 'target.ts'), 'x');
  assert.equal(existsSync(join(outside, 'a.ts')), false);
});

test('what cannot be written is told with its reason, and leaves nothing half-written', (t) => {
  const base = folder(t);
  put(base, 'generated/a.ts/inner', 'a folder in the place of a file');
  put(base, 'generated/b', 'a file in the place of a folder');
  for (const path of ['generated/a.ts', 'generated/b/c.ts']) {
    assert.throws(
      () => writeFiles(base, [{ path, text: 'y' }], []),
      (error: Error) => {
        assert.ok(error instanceof WriteError);
        assert.match(error.message, new RegExp(`^${path} cannot be written: .+ \\(E[A-Z]+\\)$`));
        return true;
      },
    );
  }
  assert.deepEqual(readdirSync(join(base, 'generated')).toSorted(), ['a.ts', 'b']);
});
