import assert from 'node:assert/strict';
import fs, { constants } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { readSourceText } from '../../../../generator/read/text/source-text.ts';

test('a file that waits for more is refused, and does not hold the reader', ({ mock }) => {
  const { openSync } = fs;
  let doesWait = true;
  mock.method(fs, 'openSync', (path: string, flags: number) => {
    doesWait = (flags & constants.O_NONBLOCK) === 0;
    return openSync(path, flags);
  });
  mock.method(fs, 'readSync', () => {
    assert.ok(!doesWait, 'it would be waited for');
    throw Object.assign(new Error('try again'), { code: 'EAGAIN' });
  });
  syncBuiltinESMExports();
  try {
    assert.deepEqual(readSourceText(import.meta.filename), {
      text: undefined,
      reason: 'it waits for more, as a device does',
    });
  } finally {
    mock.restoreAll();
    syncBuiltinESMExports();
  }
});
