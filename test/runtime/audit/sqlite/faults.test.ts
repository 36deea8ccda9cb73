import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { appendNotes, note, openLog, temporaryFolder } from '../audit-note.ts';

const limited = fileURLToPath(new URL('./limited-writer.ts', import.meta.url));

test('a full disk: appends are refused with 503, nothing is damaged, and the log recovers', (t) => {
  const folder = temporaryFolder(t);
  // No file may grow beyond 400 blocks of 1 KiB: what a full disk is to SQLite.
  const script = 'ulimit -S -f 400; trap "" XFSZ; exec "$0" "$@"';
  const run = spawnSync('bash', ['-c', script, process.execPath, limited, folder], {
    encoding: 'utf8',
  });
  assert.equal(run.status, 0, run.stderr);
  const { taken, refusal, state, issues, records } = JSON.parse(run.stdout);
  assert.ok(taken > 0);
  assert.deepEqual(refusal, { code: 'audit_unavailable', status: 503 });
  assert.equal(state, 'failed');
  assert.deepEqual(issues, []);
  assert.ok(records >= taken + 1);
});

test('after a full disk has room again, the log goes on', async (t) => {
  const folder = temporaryFolder(t);
  const script = 'ulimit -S -f 400; trap "" XFSZ; exec "$0" "$@"';
  spawnSync('bash', ['-c', script, process.execPath, limited, folder]);
  const log = await openLog(t, folder);
  assert.equal(log.status().state, 'open');
  await log.append(note(1));
  assert.equal((await log.verify()).ok, true);
});

test('a directory that cannot be written is named when the log is opened', async (t) => {
  const folder = temporaryFolder(t);
  const directory = join(folder, 'data');
  if (process.getuid?.() === 0) {
    // Root writes everywhere: a file in the place of the directory is what it cannot write.
    writeFileSync(directory, '');
  } else {
    mkdirSync(directory);
    chmodSync(directory, 0o500);
  }
  await assert.rejects(openLog(t, folder), (error) => String(error).includes(directory));
});

test('a damaged page: the log takes no entries and says why, and verification names it', async (t) => {
  const folder = temporaryFolder(t);
  const log = await openLog(t, folder);
  await appendNotes(log, 300);
  await log.close();
  const path = join(folder, 'data', 'audit.sqlite');
  const place = readFileSync(path).indexOf('"correlation_id":"call-250"');
  assert.ok(place > 0);
  const file = openSync(path, 'r+');
  writeSync(file, '!', place + 20);
  closeSync(file);
  const damaged = await openLog(t, folder);
  assert.equal(damaged.status().state, 'failed');
  await assert.rejects(damaged.append(note(1)), { code: 'audit_unavailable', status: 503 });
  const { issues } = await damaged.verify();
  assert.equal(issues[0]?.seq, 251);
});

test('a page of nonsense in the middle of the file is no crash', async (t) => {
  const folder = temporaryFolder(t);
  const log = await openLog(t, folder);
  await appendNotes(log, 300);
  await log.close();
  const path = join(folder, 'data', 'audit.sqlite');
  const pages = Math.floor(readFileSync(path).length / 4096);
  const file = openSync(path, 'r+');
  for (let page = 12; page < pages; page++)
    writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096);
  closeSync(file);
  const damaged = await openLog(t, folder);
  assert.equal(damaged.status().state, 'failed');
  await assert.rejects(damaged.append(note(1)), { status: 503 });
  assert.equal((await damaged.verify()).ok, false);
});
