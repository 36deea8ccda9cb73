import type { AuditKey } from '#contract/house/audit';
import type { KeptNote } from '../anchors/outside.ts';
import {
  checkAgainst,
  checkEnd,
  DamagedLog,
  emptyHead,
  firstRecomputed,
  type LogState,
  type StoredRow,
} from '../log/log-state.ts';
import { rangeRoot, rightEdge } from '../tree/merkle.ts';
import { parseCheckpoint, type TreeHead } from '../verify/verify.ts';
import { type Connection, inTransaction, oneMoment } from './connection.ts';
import { readIdentity } from './logs.ts';
import { bytesOf, loadNodes, type Queries } from './stored-tree.ts';

/** What the stored log has to agree with. */
export interface Known {
  /** Checkpoints that are kept elsewhere. */
  readonly outside: readonly KeptNote[];
  /** The newest head that this process has acknowledged. */
  readonly acknowledged: TreeHead;
  /** The verifier key of this process, which an older copy of the log does not know. */
  readonly vkey: string;
}

/** The end of the log, and the keys that it has by now. */
export interface StoredLog extends Pick<LogState, 'edge'> {
  readonly keys: readonly AuditKey[];
}

/**
 * Read the end of the log at one moment and check it, as that of an embedded log at its start.
 *
 * @throws DamagedLog or RolledBack
 */
export function checkStoredLog(
  connection: Connection,
  id: number,
  { outside, acknowledged, vkey: own }: Known,
): Promise<StoredLog> {
  const check = async () => {
    const { vkey, keys } = await readIdentity(connection, id);
    const head = await readHead(connection, id);
    const { size } = head;
    const entries = await readLastEntries(connection, id, size);
    const note = await readNewestNote(connection, id);
    const signed = [note ?? '', ...outside.map((kept) => kept.note)].map(
      (text) => parseCheckpoint(text)?.size ?? 0,
    );
    // Of a head that is larger than the log there is nothing to compare.
    const sizes = [acknowledged.size, ...signed].filter((wanted) => wanted > 0 && wanted <= size);
    const nodes = await loadNodes({ queries: connection, log: id }, (asked) => {
      rightEdge(asked, size);
      for (const wanted of sizes) rangeRoot(asked, 0, wanted);
    });
    const state = checkEnd({ size, head, entries, note, nodes }, vkey);
    checkAgainst(outside, { size, nodes }, [own, ...keys.map((key) => key.vkey)].join('\n'));
    const { size: kept, root } = acknowledged;
    if (kept > size || (kept > 0 && Buffer.compare(rangeRoot(nodes, 0, kept), root) !== 0)) {
      throw new DamagedLog('entries that were acknowledged are gone');
    }
    return { edge: state.edge, keys };
  };
  return inTransaction(connection, check, oneMoment);
}

async function readHead(queries: Queries, log: number) {
  const [head] = await queries.query(
    `select size, hash, root, (select max(seq) + 1 from audit_entry where log = $1) as counted
     from audit_head where log = $1`,
    [log],
  );
  const [size, counted] = [Number(head?.['size']), Number(head?.['counted'] ?? 0)];
  if (head === undefined || size !== counted) {
    throw new DamagedLog(`the audit log has ${counted} entries, other than was noted`);
  }
  if (size === 0) return emptyHead;
  const [hash, root] = [bytesOf(head['hash']), bytesOf(head['root'])];
  return { size, hash: hash.toString('hex'), root: root.toString('base64') };
}

async function readLastEntries(queries: Queries, log: number, size: number): Promise<StoredRow[]> {
  const rows = await queries.query(
    'select seq, bytes, hash, leaf from audit_entry where log = $1 and seq >= $2 order by seq',
    [log, firstRecomputed(size)],
  );
  return rows.map(({ seq, bytes, hash, leaf }) => {
    return { seq, text: bytesOf(bytes).toString('utf8'), hash, leaf };
  });
}

async function readNewestNote(queries: Queries, log: number): Promise<string | undefined> {
  const [row] = await queries.query(
    'select note from audit_checkpoint where log = $1 order by size desc limit 1',
    [log],
  );
  return row === undefined ? undefined : String(row['note']);
}
