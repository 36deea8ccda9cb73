import type { LogIdentity } from '../keys/log-identity.ts';

/** The tables of a log, as both databases have them: all columns, those of the key first. */
export const logTables = {
  meta: { columns: ['name', 'value'], keys: 1 },
  entry: { columns: ['seq', 'bytes', 'hash', 'leaf'], keys: 1 },
  tile: { columns: ['level', 'idx', 'bytes'], keys: 2 },
  checkpoint: { columns: ['size', 'root', 'note', 'created'], keys: 1 },
  anchor: { columns: ['size', 'target', 'reference', 'at'], keys: 2 },
} as const;

export type LogTable = keyof typeof logTables;

/** The values of one row, in the order of the columns. */
export type Cells = readonly unknown[];

/** Rows that are held in memory at a time: an entry may have 64 kB. */
export const rowsAtATime = 256;

/** A log that can be read, table by table. */
export interface LogTables {
  readonly identity: LogIdentity;
  /** Root of the tree that was noted with the last commit, in base64. */
  readonly root: string;
  /** All rows in the order of their keys, some at a time; of `meta` without the head and where the log went. */
  pages(table: LogTable): AsyncIterable<readonly Cells[]>;
}

/** Where the rows of a log that was recomputed end. */
export interface CopiedHead {
  readonly size: number;
  /** Hash of the last entry. */
  readonly hash: Uint8Array;
  readonly root: Uint8Array;
  /** The roots of the complete subtrees along the right edge. */
  readonly edge: Uint8Array;
  /** Of the last entry, in milliseconds. */
  readonly time: number;
}

/** A place without a log. What is put there is seen when all of it is. */
export interface LogSink {
  begin(identity: LogIdentity): Promise<void>;
  insert(table: LogTable, rows: readonly Cells[]): Promise<void>;
  /** Read back what has arrived. */
  pages: LogTables['pages'];
  end(head: CopiedHead): Promise<void>;
}

/** Read pages by their keys: `read` gets those of the last row, or nothing at the beginning. */
export async function* pagesBy(
  table: LogTable,
  read: (last: Cells | undefined) => Promise<readonly Cells[]>,
): AsyncGenerator<readonly Cells[]> {
  const { keys } = logTables[table];
  let last: Cells | undefined;
  do {
    const page = await read(last?.slice(0, keys));
    if (page.length > 0) yield page;
    last = page.length < rowsAtATime ? undefined : page.at(-1);
  } while (last !== undefined);
}
