import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'node:test';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { runCli } from './run-cli.ts';
import { serve } from './served.ts';

test('beside a server, what reads works, and what writes says who is in the way', async (t) => {
  const folder = temporaryDirectory(t);
  const env = { SERVICE_PROVIDER: 'osv', SERVICE_DATA_DIR: join(folder, 'data') };
  const { child } = await serve(t, env);
  const reading = [
    ['audit', 'verify'],
    ['audit', 'checkpoint'],
    ['audit', 'vkey'],
    ['audit', 'proof', '0'],
    ['audit', 'export', join(folder, 'bundle')],
    ['store', 'backup', join(folder, 'backup')],
    ['store', 'check'],
    ['tools'],
    // The server does it: it alone can write the log.
    ['call', 'audit', '{"operation":"append","category":"plan","action":"a","summary":"b"}'],
  ];
  for (const words of reading) {
    const { code, stderr } = await runCli(words, env);
    assert.equal(code, 0, `${words.join(' ')}: ${stderr}`);
  }
  const writing: readonly (readonly [string[], RegExp])[] = [
    [
      ['serve'],
      new RegExp(`process ${child.pid} already uses the data directory .*; stop it first`),
    ],
    [['audit', 'succeed', 'why'], /another process writes the audit log in .*: stop it/],
    [['store', 'restore', join(folder, 'backup')], /another process writes the audit log|already/],
  ];
  for (const [words, message] of writing) {
    const { code, stderr } = await runCli(words, { ...env, PORT: '0' });
    assert.equal(code, 1, words.join(' '));
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n +at /);
  }
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
  assert.equal((await runCli(['audit', 'verify'], env)).code, 0);
});
