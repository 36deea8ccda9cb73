import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { makeDataFolder, makeFolder, makeFolderLater } from '../../../runtime/process/folders.ts';

const base = mkdtempSync(join(tmpdir(), 'folders-'));
after(() => rmSync(base, { recursive: true, force: true }));

test('a folder is made with those above it, for its owner alone', async () => {
  const made = join(base, 'a/b/c');
  makeFolder(made);
  makeFolder(made);
  assert.equal(statSync(made).mode & 0o777, 0o700);
  assert.equal(statSync(join(base, 'a')).mode & 0o777, 0o700);
  await makeFolderLater(join(base, 'a/d/e'));
  assert.ok(existsSync(join(base, 'a/d/e')));
});

test('a file in the place of a folder is said to be in the way, and stays as it is', async () => {
  const file = join(base, 'file');
  writeFileSync(file, 'kept');
  assert.throws(() => makeFolder(file), { code: 'EEXIST' });
  assert.throws(() => makeFolder(join(file, 'below')), { code: 'ENOTDIR' });
  await assert.rejects(makeFolderLater(file), { code: 'EEXIST' });
  assert.throws(() => makeDataFolder(file), /SERVICE_DATA_DIR: expected a folder .* \(EEXIST\)/);
  assert.equal(readFileSync(file, 'utf8'), 'kept');
});

test('a file system that takes no folders is left at once', () => {
  // Only some systems have one; /dev/null is a folder on none.
  const taken = existsSync('/proc') ? '/proc/x/y' : '/dev/null/x';
  assert.throws(
    () => makeDataFolder(taken),
    /SERVICE_DATA_DIR: expected a folder that this user may write to/,
  );
});
