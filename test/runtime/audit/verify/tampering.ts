import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import canonicalize from 'canonicalize';
import { leafHash, TreeEdge } from '../../../../runtime/audit/verify/verify.ts';

/** Change the file as somebody would who has it: without the triggers. */
export function tamper(path: string, change: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path);
  for (const trigger of [
    'entry_kept',
    'entry_stays',
    'tile_grows',
    'tile_stays',
    'checkpoint_kept',
    'checkpoint_stays',
  ]) {
    database.exec(`DROP TRIGGER ${trigger}`);
  }
  // One flush of the disk for all of it.
  database.exec('BEGIN');
  change(database);
  database.exec('COMMIT');
  database.close();
}

type Row = { seq: number; bytes: Uint8Array; hash: Uint8Array; leaf: Uint8Array };

/** The entries as they are stored. */
export function rowsOf(database: DatabaseSync): Row[] {
  return database.prepare('SELECT * FROM entry ORDER BY seq').all() as unknown as Row[];
}

/** Write the whole log anew, each hash right, from the entries that `change` leaves. */
export function rewrite(
  database: DatabaseSync,
  change: (entries: Record<string, unknown>[]) => void,
): TreeEdge {
  const entries = rowsOf(database).map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()));
  change(entries);
  database.exec('DELETE FROM entry; DELETE FROM tile');
  const insert = database.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)');
  const edge = new TreeEdge();
  let prev_hash = '0'.repeat(64);
  for (const [seq, entry] of entries.entries()) {
    const text = canonicalize({ ...entry, seq, prev_hash }) ?? '';
    prev_hash = hash('sha256', text, 'hex');
    insert.run(seq, Buffer.from(text), Buffer.from(prev_hash, 'hex'), leafHash(text));
    edge.add(leafHash(text));
  }
  const head = {
    size: edge.size,
    hash: prev_hash,
    root: Buffer.from(edge.root()).toString('base64'),
  };
  database.prepare("UPDATE meta SET value = ? WHERE name = 'head'").run(JSON.stringify(head));
  return edge;
}
