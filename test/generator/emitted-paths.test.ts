import assert from 'node:assert/strict';
import test from 'node:test';
import { checkPaths } from '../../generator/write/emitted-paths.ts';

const file = (path: string) => ({ path, text: '' });

test('files that would overwrite each other are an error of the generator (SPEC090)', () => {
  const found = checkPaths(['a.ts', 'b/a.ts', 'a.ts', 'B/A.ts'].map(file));
  assert.deepEqual(
    found.map(({ code, severity, file, message }) => [code, severity, file, message]),
    [
      ['SPEC090', 'error', 'a.ts', 'another generated file has the path a.ts'],
      ['SPEC090', 'error', 'B/A.ts', 'another generated file has the path b/a.ts'],
    ],
  );
});
