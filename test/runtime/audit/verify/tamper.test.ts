import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { cpSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { Signer } from '../../../../runtime/audit/keys/signing-key.ts';
import { leafHash, TreeEdge } from '../../../../runtime/audit/verify/verify.ts';
import { verifyPath } from '../../../../runtime/audit/verify/verify-files.ts';
import { appendNotes, openLog, temporaryFolder } from '../audit-note.ts';
import { rewrite, rowsOf, tamper } from './tampering.ts';

const { vkey } = new Signer('tools.example.com/audit', Buffer.alloc(32, 7));

/** A closed log of 600 entries with checkpoints at 101, 301 and 600, and its newest anchored note. */
async function madeLog(t: TestContext) {
  const folder = temporaryFolder(t);
  const log = await openLog(t, folder);
  await appendNotes(log, 100);
  await log.anchorNow();
  await appendNotes(log, 200, 100);
  await log.anchorNow();
  await appendNotes(log, 299, 300);
  const { note } = await log.anchorNow();
  await log.close();
  return { folder, path: join(folder, 'data', 'audit.sqlite'), anchored: note };
}

const swap = (database: DatabaseSync, a: number, b: number) => {
  const move = database.prepare('UPDATE entry SET seq = ? WHERE seq = ?');
  move.run(-1, a);
  move.run(a, b);
  move.run(b, -1);
};

type Tampering = readonly [change: (database: DatabaseSync) => void, seq: number, reason: string];

const entryText = (database: DatabaseSync, seq: number) =>
  Buffer.from(rowsOf(database)[seq]?.bytes ?? []).toString();

function setText(database: DatabaseSync, seq: number, text: string): void {
  database.prepare('UPDATE entry SET bytes = ? WHERE seq = ?').run(Buffer.from(text), seq);
}

const tamperings: Readonly<Record<string, Tampering>> = {
  'two entries swapped': [(db) => swap(db, 40, 41), 40, 'seq_gap'],
  'an entry deleted in the middle': [
    (db) => db.exec('DELETE FROM entry WHERE seq = 40'),
    40,
    'seq_gap',
  ],
  'the last entry deleted': [
    (db) => db.exec('DELETE FROM entry WHERE seq = 599'),
    599,
    'missing_tail',
  ],
  'half of the entries deleted': [
    (db) => db.exec('DELETE FROM entry WHERE seq >= 300'),
    300,
    'missing_tail',
  ],
  'all entries deleted': [(db) => db.exec('DELETE FROM entry'), 0, 'missing_tail'],
  'the tail deleted with its checkpoint': [
    (db) =>
      db.exec(
        'DELETE FROM entry WHERE seq >= 301; DELETE FROM checkpoint WHERE size > 301; DELETE FROM tile WHERE idx > 0',
      ),
    301,
    'rolled_back',
  ],
  'everything deleted': [
    (db) => db.exec('DELETE FROM entry; DELETE FROM checkpoint; DELETE FROM tile'),
    0,
    'rolled_back',
  ],
  'an entry written twice': [
    (db) =>
      db.exec(
        'UPDATE entry SET seq = -seq - 1 WHERE seq >= 40; UPDATE entry SET seq = -seq WHERE seq < 0; INSERT INTO entry SELECT 40, bytes, hash, leaf FROM entry WHERE seq = 39',
      ),
    40,
    'seq_gap',
  ],
  'an entry put in': [
    (db) => {
      db.exec(
        'UPDATE entry SET seq = -seq - 1 WHERE seq >= 40; UPDATE entry SET seq = -seq WHERE seq < 0',
      );
      const text = entryText(db, 39).replace('"seq":39', '"seq":40');
      db.prepare('INSERT INTO entry VALUES (40, ?, ?, ?)').run(
        Buffer.from(text),
        hash('sha256', text, 'buffer'),
        leafHash(text),
      );
    },
    40,
    'prev_hash_mismatch',
  ],
  'the chain written anew without the key': [
    (db) =>
      void rewrite(db, (entries) => Object.assign(entries[150] ?? {}, { summary: 'nothing' })),
    101,
    'root_mismatch',
  ],
  'everything written anew with a stolen key': [
    (db) => {
      const edge = rewrite(db, (entries) =>
        Object.assign(entries[150] ?? {}, { summary: 'nothing' }),
      );
      db.exec('DELETE FROM checkpoint');
      const note = new Signer('tools.example.com/audit', Buffer.alloc(32, 7)).checkpoint(
        600,
        edge.root(),
      );
      db.prepare('INSERT INTO checkpoint VALUES (600, ?, ?, ?)').run(edge.root(), note, '');
    },
    0,
    'inconsistent_checkpoints',
  ],
  'a tile swapped': [
    (db) =>
      db.exec(
        'UPDATE tile SET bytes = (SELECT bytes FROM tile WHERE level = 0 AND idx = 1) WHERE level = 0 AND idx = 0',
      ),
    0,
    'tile_mismatch',
  ],
  'a partial tile changed': [
    (db) => db.exec('UPDATE tile SET bytes = zeroblob(64) WHERE level = 1'),
    0,
    'tile_mismatch',
  ],
  'the size of a checkpoint raised': [
    (db) =>
      db.exec(
        "UPDATE checkpoint SET note = replace(note, char(10) || '600' || char(10), char(10) || '700' || char(10)) WHERE size = 600",
      ),
    700,
    'bad_signature',
  ],
  'a checkpoint forged': [
    (db) => {
      const note = new Signer('tools.example.com/audit', Buffer.alloc(32, 8)).checkpoint(
        600,
        new TreeEdge().root(),
      );
      db.prepare('UPDATE checkpoint SET note = ? WHERE size = 600').run(note);
    },
    600,
    'bad_signature',
  ],
  'the same said in another order': [
    (db) => {
      const { action, ...others } = JSON.parse(entryText(db, 40));
      setText(db, 40, JSON.stringify({ ...others, action }));
    },
    40,
    'bytes_not_canonical',
  ],
  'a space put in': [
    (db) => setText(db, 40, entryText(db, 40).replace('":', '": ')),
    40,
    'bytes_not_canonical',
  ],
  'bytes that are not UTF-8': [
    (db) =>
      db
        .prepare('UPDATE entry SET bytes = ? WHERE seq = 40')
        .run(Buffer.from(entryText(db, 40).replace('note', 'n\xffte'), 'latin1')),
    40,
    'unreadable',
  ],
  'the clock moved back': [
    (db) =>
      void rewrite(db, (entries) =>
        Object.assign(entries[150] ?? {}, { ts: '2001-01-01T00:00:00.000Z' }),
      ),
    150,
    'clock_moved_back',
  ],
};

for (const [what, [change, seq, reason]] of Object.entries(tamperings)) {
  test(`${what}: found at ${seq} as ${reason}`, async (t) => {
    const { path, anchored } = await madeLog(t);
    assert.deepEqual(verifyPath(path, vkey, [anchored]).issues, []);
    tamper(path, change);
    const { ok, issues } = verifyPath(path, vkey, [anchored]);
    assert.equal(ok, false);
    const found = issues.some((issue) => issue.seq === seq && issue.reason === reason);
    assert.ok(found, JSON.stringify(issues.slice(0, 5)));
    const before = issues.filter(
      (issue) => issue.seq < seq && reason !== 'clock_moved_back' && reason !== 'bad_signature',
    );
    assert.deepEqual(before, []);
  });
}

test('a flipped bit in any field of an entry, or in its hashes, is found there', async (t) => {
  const { path, anchored } = await madeLog(t);
  tamper(path, () => undefined);
  const database = new DatabaseSync(path);
  const row = rowsOf(database)[77];
  assert.ok(row);
  const text = Buffer.from(row.bytes);
  const places = [...text.toString('latin1').matchAll(/":/g)].map(({ index }) => index + 3);
  assert.ok(places.length > 15);
  const update = database.prepare('UPDATE entry SET bytes = ?, hash = ?, leaf = ? WHERE seq = 77');
  const expectFound = () => {
    const [issue] = verifyPath(path, vkey, [anchored]).issues;
    assert.equal(issue?.seq, 77, JSON.stringify(issue));
  };
  for (const place of places) {
    const flipped = Buffer.from(text);
    flipped[place] = (flipped[place] ?? 0) ^ 1;
    update.run(flipped, row.hash, row.leaf);
    expectFound();
  }
  const broken = Buffer.alloc(32, 1);
  update.run(row.bytes, broken, row.leaf);
  expectFound();
  update.run(row.bytes, row.hash, broken);
  expectFound();
  update.run(row.bytes, row.hash, row.leaf);
  assert.equal(verifyPath(path, vkey, [anchored]).ok, true);
  database.close();
});

test('the triggers stop what is done by mistake', async (t) => {
  const { path } = await madeLog(t);
  const database = new DatabaseSync(path);
  for (const table of ['entry', 'tile', 'checkpoint']) {
    assert.throws(() => database.exec(`DELETE FROM ${table}`), /write-once|signed/);
  }
  assert.throws(() => database.exec("UPDATE entry SET bytes = x'00'"), /write-once/);
  assert.throws(() => database.exec("UPDATE checkpoint SET note = ''"), /signed/);
  assert.throws(() => database.exec('UPDATE tile SET bytes = zeroblob(8192)'), /only grows/);
  database.close();
});

test('a fork of one log is caught by the anchored checkpoint', async (t) => {
  const folder = temporaryFolder(t);
  const log = await openLog(t, folder);
  await appendNotes(log, 10);
  await log.close();
  const fork = temporaryFolder(t);
  cpSync(join(folder, 'data'), join(fork, 'data'), { recursive: true });
  const [ours, theirs] = [await openLog(t, folder), await openLog(t, fork)];
  await appendNotes(ours, 5, 100);
  await appendNotes(theirs, 5, 200);
  const known = [await log.checkpoint(), await ours.anchorNow()].map(({ note }) => note);
  await theirs.close();
  const { issues } = verifyPath(join(fork, 'data', 'audit.sqlite'), vkey, known);
  assert.deepEqual(
    issues.map(({ seq, reason }) => [seq, reason]),
    [[11, 'inconsistent_checkpoints']],
  );
});

test('a file whose end has become empty is not verified, though every entry can be read', async (t) => {
  const { path } = await madeLog(t);
  tamper(path, (database) => {
    // Pages behind those of the entries, as a table that grew last has them.
    database.exec('CREATE TABLE late (bytes BLOB)');
    database.prepare('INSERT INTO late VALUES (?)').run(Buffer.alloc(100_000, 1));
  });
  const { size } = statSync(path);
  truncateSync(path, size - 40_960);
  truncateSync(path, size);
  const { ok, records, issues } = verifyPath(path, vkey);
  assert.deepEqual([ok, records, issues[0]?.reason], [false, 600, 'unreadable']);
});

test('a head that was noted otherwise than the log ends is an issue', async (t) => {
  const { path } = await madeLog(t);
  tamper(path, (database) => {
    const head = JSON.stringify({ size: 601, hash: '0'.repeat(64), root: '' });
    database.prepare("UPDATE meta SET value = ? WHERE name = 'head'").run(head);
  });
  const { issues } = verifyPath(path, vkey);
  assert.deepEqual(
    issues.map(({ seq, reason }) => [seq, reason]),
    [[600, 'missing_tail']],
  );
});
