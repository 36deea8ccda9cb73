import type { LogRow } from '../answers/rows.ts';
import { fingerprintOf } from './fingerprint.ts';

/** The lines of one provider, which may have more than it gave. */
export interface LogSource {
  readonly providerId: string;
  readonly rows: readonly LogRow[];
  /** It gave as many lines as it was asked for: what lies beyond its last one is not known. */
  readonly isCut: boolean;
}

/** A line and where it comes from. */
export interface MergedRow {
  readonly row: LogRow;
  readonly providerId: string;
}

export interface LogMerge {
  readonly direction: 'backward' | 'forward';
  /** Most lines of the page. */
  readonly limit: number;
  /** Whether a line that several providers keep is given once. */
  readonly dedup: boolean;
  /** Fingerprints of lines that the page before has given. */
  readonly skip: readonly string[];
}

export interface MergedLogs {
  readonly rows: readonly MergedRow[];
  readonly dropped: number;
  /** Whether something follows the last row. */
  readonly hasMore: boolean;
}

/**
 * Merge what several providers gave, each in its order, into one page: no more than the page is
 * kept. The page ends where a provider that has more ends, for what follows may lie before what the
 * others have.
 */
export function mergeLogs(sources: readonly LogSource[], merge: LogMerge): MergedLogs {
  const heads = sources.map((source) => new Head(source, merge.direction));
  const rows: MergedRow[] = [];
  const skip = countOf(merge.skip);
  const twins = new Twins();
  let dropped = 0;
  while (rows.length < merge.limit) {
    const head = firstOf(heads, merge.direction);
    const row = head?.row;
    if (head === undefined || row === undefined) break;
    head.advance();
    const isTwin = merge.dedup && heads.length > 1 && twins.isKnown(row, head, heads);
    if (isTwin) dropped += 1;
    else if (!isSkipped(row, skip)) rows.push({ row, providerId: head.providerId });
    // What follows the last line of a provider that has more is not known.
    if (head.row === undefined && head.isCut) return { rows, dropped, hasMore: true };
  }
  return { rows, dropped, hasMore: heads.some((head) => head.row !== undefined || head.isCut) };
}

/** Where the merge stands in the lines of one provider. */
class Head {
  readonly providerId: string;
  readonly isCut: boolean;
  readonly #rows: readonly LogRow[];
  #at = 0;
  row: LogRow | undefined;

  constructor({ providerId, rows, isCut }: LogSource, direction: 'backward' | 'forward') {
    this.providerId = providerId;
    this.isCut = isCut;
    this.#rows = inOrder(rows, direction);
    this.row = this.#rows[0];
  }

  advance(): void {
    this.#at += 1;
    this.row = this.#rows[this.#at];
  }
}

/** Most back ends give lines in order; Loki gives them so within each stream alone. */
function inOrder(rows: readonly LogRow[], direction: 'backward' | 'forward'): readonly LogRow[] {
  const sign = direction === 'forward' ? 1 : -1;
  const compare = (a: LogRow, b: LogRow) => {
    if (a.timestamp === b.timestamp) return 0;
    return a.timestamp < b.timestamp ? -sign : sign;
  };
  const isSorted = rows.every((row, index) => {
    const before = rows[index - 1];
    return before === undefined || compare(before, row) <= 0;
  });
  return isSorted ? rows : rows.toSorted(compare);
}

function firstOf(heads: readonly Head[], direction: 'backward' | 'forward'): Head | undefined {
  let first: Head | undefined;
  let best: bigint | undefined;
  for (const head of heads) {
    const time = head.row?.timestamp;
    if (time === undefined) continue;
    if (best === undefined || (direction === 'forward' ? time < best : time > best)) {
      first = head;
      best = time;
    }
  }
  return first;
}

/**
 * Lines of one time that several providers keep. Only those are compared: a provider that has the
 * same line twice keeps both, and of two providers that do, two are given.
 */
class Twins {
  #time: bigint | undefined;
  #isShared = false;
  readonly #given = new Map<string, number>();
  readonly #seen = new Map<string, number>();

  isKnown(row: LogRow, { providerId }: Head, heads: readonly Head[]): boolean {
    if (row.timestamp !== this.#time) {
      this.#time = row.timestamp;
      this.#given.clear();
      this.#seen.clear();
      this.#isShared = heads.some(
        (head) => head.providerId !== providerId && head.row?.timestamp === row.timestamp,
      );
    }
    if (!this.#isShared) return false;
    const line = lineOf(row);
    const own = `${providerId} ${line}`;
    const count = (this.#seen.get(own) ?? 0) + 1;
    this.#seen.set(own, count);
    const given = this.#given.get(line) ?? 0;
    if (count <= given) return true;
    this.#given.set(line, given + 1);
    return false;
  }
}

/** What makes a line this one, besides its time: names of attributes differ between back ends. */
function lineOf({ body, service, traceId, spanId }: LogRow): string {
  return `${service}\n${traceId}\n${spanId}\n${body}`;
}

/** A short name of a line among those of its time. */
export function fingerprint(row: LogRow): string {
  return fingerprintOf(lineOf(row));
}

interface Skip {
  readonly counts: Map<string, number>;
}

function countOf(fingerprints: readonly string[]): Skip {
  const counts = new Map<string, number>();
  for (const each of fingerprints) counts.set(each, (counts.get(each) ?? 0) + 1);
  return { counts };
}

function isSkipped(row: LogRow, { counts }: Skip): boolean {
  if (counts.size === 0) return false;
  const name = fingerprint(row);
  const left = counts.get(name) ?? 0;
  if (left === 0) return false;
  if (left === 1) counts.delete(name);
  else counts.set(name, left - 1);
  return true;
}
