import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { createStore } from '../../../../runtime/store/index.ts';
import { writeGroups } from '../../../groups.ts';
import { PostgresServer } from '../../../runtime/store/postgres-server.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';

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

/** Milliseconds after which a test hangs: it is named then, where nothing would be told of it otherwise. */
const testTimeout = 400_000;
/** And all of them together, of which the report tells how far they came. */
const patience = 900_000;
/** Processes at once; each waits for PostgreSQL most of the time. */
const processes = 2;
const filesOfProcess = 12;

/** A database with all of our tables and nothing in them, of which each server gets a copy. */
async function templateOf(postgres: PostgresServer): Promise<string> {
  const databaseUrl = await postgres.createDatabase();
  const store = createStore({ dataDir: '/nowhere', databaseUrl });
  await store.open();
  await store.close();
  return databaseUrl;
}

test('two replicas on PostgreSQL pass all that one server passes', async (t) => {
  const postgres = await PostgresServer.start();
  t.after(() => postgres.stop());
  // A test runner within a test runner reports to that one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = [
    ...['--test', '--test-reporter=spec', `--test-concurrency=${processes}`],
    `--test-timeout=${testTimeout}`,
  ];
  // It takes longer to start than most of them take to run.
  const groups = writeGroups(files, join(temporaryDirectory(t), 'groups'), filesOfProcess);
  const child = spawn(process.execPath, [...options, ...groups], {
    env: { ...env, IDENTITY_REPLICAS: await templateOf(postgres) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const patient = setTimeout(() => child.kill(), patience);
  t.after(() => {
    clearTimeout(patient);
    child.kill();
  });
  const closed = once(child, 'close');
  const report = await text(child.stdout);
  const [code] = await closed;
  const failing = report.indexOf('failing tests:');
  assert.equal(code, 0, failing === -1 ? report : report.slice(failing));
  const passed = Number(/^ℹ pass (\d+)$/m.exec(report)?.[1]);
  assert.ok(passed > files.length, report);
  t.diagnostic(`${passed} tests of ${files.length} files`);
});
