import { createHash, hash } from 'node:crypto';
import { StartError } from '../../process/start-error.ts';
import { TreeEdge } from '../verify/verify.ts';
import {
  type Cells,
  type CopiedHead,
  type LogSink,
  type LogTable,
  type LogTables,
  logTables,
} from './log-tables.ts';

/** What was copied. */
export interface CopiedLog {
  readonly origin: string;
  readonly size: number;
  /** Root of the tree, in base64: recomputed from the entries on both sides. */
  readonly root: string;
  readonly checkpoints: number;
}

/**
 * Copy a log row by row, and read back what has arrived: every table has to hold the same rows, and
 * the entries on both sides have to give the root that was noted.
 *
 * @throws StartError when something is not as it was; the target has to forget everything then
 */
export async function copyLog(source: LogTables, target: LogSink): Promise<CopiedLog> {
  await target.begin(source.identity);
  let head: CopiedHead | undefined;
  let checkpoints = 0;
  for (const table of Object.keys(logTables) as LogTable[]) {
    const sent = await digest(table, throughTo(target, table, source.pages(table)));
    const arrived = await digest(table, target.pages(table));
    if (sent.rows !== arrived.rows || sent.hash !== arrived.hash) {
      throw new StartError(`the audit log has not arrived as it was (${table}): nothing is copied`);
    }
    if (table === 'checkpoint') checkpoints = sent.rows;
    if (table !== 'entry') continue;
    requireRoot(source, sent.edge, 'is');
    requireRoot(source, arrived.edge, 'has arrived');
    head = arrived.head;
  }
  if (head === undefined) throw new StartError('the audit log is empty: nothing is copied');
  await target.end(head);
  const root = Buffer.from(head.root).toString('base64');
  return { origin: source.identity.origin, size: head.size, root, checkpoints };
}

async function* throughTo(
  target: LogSink,
  table: LogTable,
  pages: AsyncIterable<readonly Cells[]>,
): AsyncGenerator<readonly Cells[]> {
  for await (const page of pages) {
    await target.insert(table, page);
    yield page;
  }
}

async function digest(table: LogTable, pages: AsyncIterable<readonly Cells[]>) {
  const sum = createHash('sha256');
  const edge = new TreeEdge();
  let [rows, last]: [number, Cells | undefined] = [0, undefined];
  for await (const page of pages) {
    for (const row of page) {
      sum.update(`${JSON.stringify(row.map(canonicalCell))}\n`);
      if (table === 'entry') edge.add(leafOf(bytesIn(row)));
      last = row;
    }
    rows += page.length;
  }
  const head = table === 'entry' && last !== undefined ? headOf(edge, bytesIn(last)) : undefined;
  return { rows, hash: sum.digest('hex'), edge, head };
}

/** The same text for the same value, whichever database it comes from. */
function canonicalCell(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}

function bytesIn([, bytes]: Cells): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  throw new StartError('the audit log is damaged: expected bytes; run "audit verify"');
}

function leafOf(bytes: Uint8Array): Uint8Array {
  return hash('sha256', Buffer.concat([Buffer.of(0), bytes]), 'buffer');
}

function headOf(edge: TreeEdge, last: Uint8Array): CopiedHead {
  const { ts } = JSON.parse(Buffer.from(last).toString('utf8'));
  return {
    size: edge.size,
    hash: hash('sha256', last, 'buffer'),
    root: edge.root(),
    edge: Buffer.concat(edge.stack),
    time: Date.parse(String(ts)),
  };
}

function requireRoot({ root }: LogTables, edge: TreeEdge, what: string): void {
  const found = Buffer.from(edge.root()).toString('base64');
  if (found === root) return;
  throw new StartError(
    `the audit log ${what} not as it was noted: expected the root ${root}, found ${found}; nothing is copied`,
  );
}
