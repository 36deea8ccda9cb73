import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { PostgresServer } from '../../../runtime/store/postgres-server.ts';

// The whole suite of identity once more, before two replicas over one PostgreSQL that are asked in
// turn: nothing that is shown of one server with a file of its own may depend on there being one.

/** What is about one process or its files, and why. */
const aboutOne: Readonly<Record<string, string>> = {
  'controls/enumeration.test.ts': 'it counts what the thread of SQLite is asked',
  'outbox/announced.test.ts': 'it cuts off the audit log of the process that is asked',
  'tokens/external-introspection.test.ts': 'it counts what a process asks the provider',
  'tokens/far-times.test.ts': 'it looks into the file of SQLite',
  'tokens/signing-keys.test.ts': 'it drops keys at the terminal, as replicas.slow.ts does',
};

const folder = join(import.meta.dirname, '..');
const files = globSync('**/*.test.ts', { cwd: folder })
  .filter((file) => !Object.hasOwn(aboutOne, file))
  .map((file) => join(folder, file))
  .filter((file) => /served-identity|whole-server/.test(readFileSync(file, 'utf8')));

/** Milliseconds after which a file hangs: it is named then, where nothing would be told of it otherwise. */
const fileTimeout = 400_000;

test('two replicas on PostgreSQL pass all that one server passes', async (t) => {
  const postgres = await PostgresServer.start();
  t.after(() => postgres.stop());
  // A test runner within a test runner reports to that one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = ['--test', '--test-reporter=spec', `--test-timeout=${fileTimeout}`];
  const child = spawn(process.execPath, [...options, ...files], {
    env: { ...env, IDENTITY_REPLICAS: await postgres.createDatabase() },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  t.after(() => child.kill());
  const report = await text(child.stdout);
  const [code] = await closed;
  const failing = report.slice(report.indexOf('failing tests:'));
  assert.equal(code, 0, failing);
  const passed = Number(/^ℹ pass (\d+)$/m.exec(report)?.[1]);
  assert.ok(passed > files.length, report);
  t.diagnostic(`${passed} tests of ${files.length} files`);
});
