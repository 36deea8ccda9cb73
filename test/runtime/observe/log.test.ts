import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { promisify } from 'node:util';

const script = `
  import { createLog } from '${new URL('../../../runtime/observe/log.ts', import.meta.url)}';
  const secret = 'hunter2';
  const log = createLog('info');
  log.info({ authorization: secret, token: secret, safe: 'visible' }, 'one');
  log.info({ headers: { authorization: secret, cookie: secret } }, 'two');
  log.info({ request: { options: { headers: { Authorization: secret } } } }, 'three');
  log.error({ err: Object.assign(new Error('four'), { credential: secret }) });
  log.debug('five');
`;

test('secrets reach no log, and standard output stays free', async () => {
  const run = promisify(execFile);
  const args = ['--input-type=module-typescript', '--eval', script];
  const { stdout, stderr } = await run(process.execPath, args);
  assert.equal(stdout, '');
  const lines = stderr.trim().split('\n');
  assert.equal(lines.length, 4);
  assert.doesNotMatch(stderr, /hunter2/);
  assert.match(stderr, /visible/);
  for (const line of lines) assert.ok(JSON.parse(line).time);
});
