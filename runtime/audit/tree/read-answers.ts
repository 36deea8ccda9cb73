import type { AuditEntry, AuditPage, AuditQuery, AuditRecord } from '#contract/house/audit';
import { tileWidth } from './tile-nodes.ts';

/** Entries that one page of a list looks at; its reader comes back for more. */
const mostScanned = 5000;

const filters = ['tenant', 'category', 'action', 'subject', 'correlation_id'] as const;

/** An entry with its hash, as they are stored. */
export interface EntryRow {
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
}

/** A line that a witness has added to a checkpoint. */
export interface Cosignature {
  readonly target: string;
  readonly line: string;
}

/** A checkpoint as those see it who ask for it (C2SP tlog-cosignature). */
export function withCosignatures(note: string, cosignatures: readonly Cosignature[]): string {
  return note + cosignatures.map(({ line }) => line).join('');
}

/** One page of a list, as entries arrive, newest first. */
export class ListedPage {
  /** Entries before this one are looked at. */
  readonly before: number;
  /** How many of them at most. */
  readonly scanned: number;
  readonly #query: AuditQuery;
  readonly #limit: number;
  readonly #wanted: readonly (typeof filters)[number][];
  readonly #records: AuditRecord[] = [];
  #seq: number;

  constructor(query: AuditQuery) {
    this.#query = query;
    this.#limit = Math.min(Math.max(Math.trunc(query.limit), 1), 1000);
    this.#wanted = filters.filter((name) => query[name] !== undefined);
    this.before = query.before ?? Number.MAX_SAFE_INTEGER;
    this.scanned = this.#wanted.length === 0 ? this.#limit : mostScanned;
    this.#seq = this.before;
  }

  get isFull(): boolean {
    return this.#records.length === this.#limit;
  }

  add(row: EntryRow): void {
    const record = recordOf(row);
    this.#seq = record.entry.seq;
    if (this.#wanted.every((name) => record.entry[name] === this.#query[name])) {
      this.#records.push(record);
    }
  }

  /** The page, of a log with `size` entries. */
  end(size: number): AuditPage {
    const more = this.#seq > 0 && this.#seq < this.before;
    const page = { records: this.#records, size };
    return more ? { ...page, next: this.#seq } : page;
  }
}

export function recordOf({ bytes, hash }: EntryRow): AuditRecord {
  const canonical = Buffer.from(bytes).toString('utf8');
  // Written by the log's own writer, whose every field was checked.
  const entry = JSON.parse(canonical) as AuditEntry;
  return { entry, canonical, hash: Buffer.from(hash).toString('hex') };
}

/** C2SP tlog-tiles, "Log Entries": each entry after its length, two bytes, big-endian. */
export function bundleOf(entries: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(
    entries.flatMap((bytes) => [Buffer.of(bytes.length >> 8, bytes.length & 255), bytes]),
  );
}

/** C2SP tlog-proof; `extra` is the leaf hash, so that the verifier key alone is enough. */
export function proofText(
  seq: number,
  leaf: Uint8Array,
  hashes: readonly Uint8Array[],
  note: string,
): string {
  const lines = [`extra ${base64(leaf)}`, `index ${seq}`, ...hashes.map(base64)];
  return `c2sp.org/tlog-proof@v1\n${lines.join('\n')}\n\n${note}`;
}

export const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
export const isIndex = (value: number, most = Number.MAX_SAFE_INTEGER) =>
  Number.isSafeInteger(value) && value >= 0 && value <= most;
export const isWidth = (value: number) => isIndex(value, tileWidth) && value > 0;
