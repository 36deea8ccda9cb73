import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { KeyRing } from '../../../../runtime/audit/keys/key-ring.ts';
import { Signer } from '../../../../runtime/audit/keys/signing-key.ts';
import { verifyPath } from '../../../../runtime/audit/verify/verify-files.ts';
import { appendNotes, openLog, temporaryFolder } from '../audit-note.ts';
import { first, k1, k2, k3, second } from '../succession/rotation-contract.ts';
import { rewrite, tamper } from './tampering.ts';

const origin = 'tools.example.com/audit';
/** The keys of the log, and the one of somebody who has its file. */
const [old, newest, attacker] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8), Buffer.alloc(32, 9)];
const foreign = k3;

/**
 * A closed log of 21 entries with checkpoints at 1, 11, 12, 17 and 21. Entry 11 rotates the key; the
 * old one signs the checkpoints of 12 and 17 too. The note of 17 is anchored.
 */
async function madeLog(t: TestContext) {
  const folder = temporaryFolder(t);
  const before = await openLog(t, folder);
  await appendNotes(before, 10);
  await before.close();
  const both = await openLog(t, folder, { key: second, previousKey: first });
  await appendNotes(both, 5);
  const { note } = await both.anchorNow();
  await both.close();
  const alone = await openLog(t, folder, { key: second });
  await appendNotes(alone, 4);
  await alone.close();
  return { path: join(folder, 'data', 'audit.sqlite'), anchored: note };
}

type Entries = Record<string, unknown>[];

const rotation = (vkey: string, previous_vkey: string) => ({
  action: 'AUDIT_KEY_ROTATED',
  payload: { vkey, previous_vkey },
});

/** Put a rotation to the attacker's key behind everything that `entries` leaves. */
function takeOver(entries: Entries, from: string): void {
  entries.push({ ...entries.at(-1), ...rotation(foreign, from) });
}

/** Write everything anew, with nothing but one checkpoint over it that `ring` signs. */
function forge(database: DatabaseSync, ring: KeyRing, change: (entries: Entries) => void): void {
  const edge = rewrite(database, change);
  const keys = [ring.vkey, ring.previous ?? ''].map((vkey) => ({ vkey, since: 0 }));
  const note = ring.checkpoint(keys, edge.size, edge.root());
  database.exec('DELETE FROM checkpoint');
  const insert = database.prepare('INSERT INTO checkpoint VALUES (?, ?, ?, ?)');
  insert.run(edge.size, edge.root(), note, '');
}

/** Change the text of the checkpoint of `size`. */
function setNote(database: DatabaseSync, size: number, change: (note: string) => string): void {
  const { note } = database.prepare('SELECT note FROM checkpoint WHERE size = ?').get(size) ?? {};
  const update = database.prepare('UPDATE checkpoint SET note = ? WHERE size = ?');
  update.run(change(String(note)), size);
}

/** Have the checkpoint of `size` signed by this key alone. */
function signAgain(database: DatabaseSync, size: number, seed: Uint8Array): void {
  setNote(database, size, (note) => {
    const root = Buffer.from(note.split('\n')[2] ?? '', 'base64');
    return new Signer(origin, seed).checkpoint(size, root);
  });
}

/** Take away the signature of the old key, which is the second one. */
const withoutOld = (note: string) => `${note.split('\n').slice(0, 5).join('\n')}\n`;

/** The attacker has the old key, and hands over to his own in the place of the true rotation. */
function takeOverWithOldKey(database: DatabaseSync): void {
  forge(database, new KeyRing(origin, { newest: attacker, previous: old }), (all) => {
    Object.assign(all[11] ?? {}, rotation(foreign, k1));
  });
}

/** The attacker has the old key, and goes on with it from before the rotation. */
function takeBack(database: DatabaseSync): void {
  forge(database, new KeyRing(origin, { newest: old }), (all) => all.splice(11));
}

/** What is changed, and what each of the keys finds without an anchor: sequence number, reason. */
type Tampering = readonly [
  change: (database: DatabaseSync) => void,
  found: Readonly<Record<string, readonly (readonly [number, string])[]>>,
];

const tamperings: Readonly<Record<string, Tampering>> = {
  'a rotation of the attacker behind the last entry, signed by him alone': [
    (db) => forge(db, new KeyRing(origin, { newest: attacker }), (all) => takeOver(all, k2)),
    // Without the old checkpoints the true rotation is not confirmed any more either.
    {
      [k1]: [
        [11, 'bad_signature'],
        [21, 'bad_signature'],
      ],
      [k2]: [
        [11, 'bad_signature'],
        [21, 'bad_signature'],
      ],
    },
  ],
  'a rotation of the attacker in the place of the true one, signed by him alone': [
    (db) =>
      forge(db, new KeyRing(origin, { newest: attacker }), (all) => {
        Object.assign(all[11] ?? {}, rotation(foreign, k1));
      }),
    {
      [k1]: [[11, 'bad_signature']],
      [k2]: [
        [0, 'bad_signature'],
        [11, 'bad_signature'],
      ],
    },
  ],
  'a rotation of the attacker with the stolen old key: without an anchor, only the new key shows it':
    [takeOverWithOldKey, { [k1]: [], [k2]: [[0, 'bad_signature']] }],
  'the rotation taken back with the stolen old key: without an anchor, only the new key shows it': [
    takeBack,
    { [k1]: [], [k2]: [[0, 'bad_signature']] },
  ],
  'a rotation from a key that the log does not have': [
    (db) =>
      forge(db, new KeyRing(origin, { newest, previous: old }), (all) => takeOver(all, foreign)),
    { [k1]: [[21, 'bad_signature']], [k2]: [[21, 'bad_signature']] },
  ],
  'the first key replaced in the first entry': [
    (db) =>
      forge(db, new KeyRing(origin, { newest, previous: old }), (all) => {
        Object.assign(all[0] ?? {}, { payload: { vkey: foreign } });
      }),
    {
      [k1]: [
        [0, 'bad_signature'],
        [11, 'bad_signature'],
        [21, 'bad_signature'],
      ],
      [k2]: [
        [0, 'bad_signature'],
        [11, 'bad_signature'],
        [21, 'bad_signature'],
      ],
    },
  ],
  'the signature of the old key taken from all checkpoints over the rotation': [
    (db) => {
      for (const size of [12, 17]) setNote(db, size, withoutOld);
    },
    { [k1]: [[11, 'bad_signature']], [k2]: [[11, 'bad_signature']] },
  ],
  'the signature of the old key taken from the first checkpoint over the rotation': [
    (db) => setNote(db, 12, withoutOld),
    { [k1]: [], [k2]: [] },
  ],
  'a checkpoint that the old key alone signed, after it was replaced': [
    (db) => signAgain(db, 21, old),
    { [k1]: [[21, 'bad_signature']], [k2]: [[21, 'bad_signature']] },
  ],
  'a checkpoint that the new key alone signed, before it was named': [
    (db) => signAgain(db, 11, newest),
    { [k1]: [[11, 'bad_signature']], [k2]: [[11, 'bad_signature']] },
  ],
  'a checkpoint that an unknown key signed': [
    (db) => signAgain(db, 17, attacker),
    { [k1]: [[17, 'bad_signature']], [k2]: [[17, 'bad_signature']] },
  ],
};

for (const [what, [change, expected]] of Object.entries(tamperings)) {
  test(`${what} (audit.md 6)`, async (t) => {
    const { path, anchored } = await madeLog(t);
    for (const vkey of [k1, k2]) assert.deepEqual(verifyPath(path, vkey, [anchored]).issues, []);
    tamper(path, change);
    for (const [vkey, places] of Object.entries(expected)) {
      const { issues } = verifyPath(path, vkey);
      const found = issues.map(({ seq, reason }) => [seq, reason]);
      assert.deepEqual(found, places, JSON.stringify(issues));
    }
  });
}

test('what is forged with the stolen old key differs from what is anchored (audit.md 6)', async (t) => {
  const forks = [
    [takeOverWithOldKey, 0, 'inconsistent_checkpoints'],
    [takeBack, 11, 'rolled_back'],
  ] as const;
  for (const [change, seq, reason] of forks) {
    const { path, anchored } = await madeLog(t);
    tamper(path, change);
    const { issues } = verifyPath(path, k1, [anchored]);
    assert.deepEqual(
      issues.map((issue) => [issue.seq, issue.reason]),
      [[seq, reason]],
    );
  }
});

test('an anchored checkpoint of a witness that kept only the line of the old key is accepted', async (t) => {
  const { path, anchored } = await madeLog(t);
  const [text = ''] = anchored.split('\n\n');
  const [newLine, oldLine] = anchored.split('\n').slice(4);
  for (const line of [newLine, oldLine]) {
    for (const vkey of [k1, k2]) {
      assert.deepEqual(verifyPath(path, vkey, [`${text}\n\n${line}\n`]).issues, []);
    }
  }
});
