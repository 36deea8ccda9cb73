import { tileWidth } from '../tree/tile-nodes.ts';
import { LogCheck, type StoredEntry, type Verification } from '../verify/verify.ts';
import { decodeExactly, failed } from '../verify/verify-files.ts';
import { connected, inTransaction, oneMoment, type Row, reasonOf } from './connection.ts';
import { bytesOf, type Queries } from './stored-tree.ts';

const entriesAtATime = 1000;

interface Page {
  readonly rows: readonly Row[];
  readonly tiles: ReadonlyMap<string, Uint8Array>;
}

/** What is verified, with what. */
interface Wanted {
  readonly log: number;
  readonly vkeys: string;
  /** Checkpoints that were kept elsewhere. */
  readonly outside: readonly string[];
}

/**
 * Check a whole log of a database, as it is at one moment. While a page of entries is checked, the
 * next one is on its way.
 */
export async function verifyDatabase(url: string, wanted: Wanted): Promise<Verification> {
  try {
    return await connected(url, (connection) =>
      inTransaction(connection, () => verifyRows(connection, wanted), oneMoment),
    );
  } catch (error) {
    return failed(0, 'unreadable', reasonOf(error));
  }
}

async function verifyRows(queries: Queries, wanted: Wanted): Promise<Verification> {
  const { log, vkeys, outside } = wanted;
  const notes = await queries.query(
    'select note from audit_checkpoint where log = $1 order by size',
    [log],
  );
  let tiles: Page['tiles'] = new Map();
  const source = {
    notes: notes.map(({ note }) => String(note)),
    tile: (level: number, index: number) => tiles.get(`${level}/${index}`),
  };
  const check = new LogCheck(source, vkeys, outside);
  try {
    let next = readPage(queries, log, -1, 0);
    for (let count = 0; ; ) {
      const { rows, tiles: theirs } = await next;
      tiles = theirs;
      count += rows.length;
      const last = rows.length < entriesAtATime;
      if (!last) next = readPage(queries, log, Number(rows.at(-1)?.['seq']), count);
      // A failure of it is heard when it is awaited.
      next.catch(() => undefined);
      for (const row of rows) check.add(storedEntry(row));
      if (last) return check.end();
    }
  } catch (error) {
    return check.end(error);
  }
}

/** Read the entries behind `after`, the first of which is the `first` one of all, and their tiles. */
async function readPage(
  queries: Queries,
  log: number,
  after: number,
  first: number,
): Promise<Page> {
  const rows = await queries.query(
    `select seq, bytes, encode(hash, 'hex') as hash, encode(leaf, 'hex') as leaf from audit_entry
     where log = $1 and seq > $2 order by seq limit $3`,
    [log, after, entriesAtATime],
  );
  return { rows, tiles: await tilesOf(queries, log, first, first + rows.length) };
}

function storedEntry({ seq, bytes, hash, leaf }: Row): StoredEntry {
  const text = textOf(bytesOf(bytes));
  return { seq: Number(seq), text, hash: String(hash), leaf: String(leaf) };
}

/** All stored tiles that have to do with the entries from `first` up to `end`. */
async function tilesOf(queries: Queries, log: number, first: number, end: number) {
  const levels = Array.from({ length: 8 }, (_, level) => tileWidth ** (level + 1));
  const rows = await queries.query(
    `select level, idx, bytes from audit_tile
     join unnest($2::bigint[], $3::bigint[]) with ordinality as wanted (low, high, place)
       on level = place - 1 and idx between low and high
     where log = $1`,
    [
      log,
      levels.map((width) => Math.floor(first / width)),
      levels.map((width) => Math.floor(end / width)),
    ],
  );
  return new Map(rows.map(({ level, idx, bytes }) => [`${level}/${idx}`, bytesOf(bytes)]));
}

/** Bytes that are not UTF-8 would be read as replacement characters: they must not pass for them. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? decodeExactly(bytes) : text;
}
