import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AuditCheckpoint, AuditKey } from '#contract/house/audit';
import type { KeyRing } from '../keys/key-ring.ts';
import type { EventParts } from '../log/canonical-event.ts';
import { ClockWatch } from '../log/clock-watch.ts';
import { EntryText } from '../log/entry-text.ts';
import { type LogState, readState } from '../log/log-state.ts';
import type { Handover } from '../log/writer-messages.ts';
import { GrowingTiles } from '../tree/growing-tiles.ts';
import { TileNodes } from '../tree/tile-nodes.ts';
import { sha256 } from '../verify/verify.ts';
import { storedIdentity } from './schema.ts';

/** Where a batch came to stand. */
export interface Written {
  /** Where the commit begins, with the entry that corrects the clock. */
  readonly noted?: number;
  readonly first: number;
  readonly times: readonly number[];
  /** 32 bytes for each entry. */
  readonly hashes: Uint8Array;
  /** By how much the clock had been ahead, where an entry in front of the batch corrects that. */
  readonly aheadMs?: number;
}

interface Event {
  readonly parts: EventParts;
  readonly at: number;
}

/** Writes entries, tiles and checkpoints: the only code that does. Any failure makes it useless. */
export class LogWriter {
  readonly state: LogState;
  readonly #database: DatabaseSync;
  readonly #ring: KeyRing;
  readonly #entries: EntryText;
  readonly #clock: ClockWatch;
  readonly #tiles: GrowingTiles;
  readonly #insertEntry: StatementSync;
  readonly #putTile: StatementSync;
  readonly #putMeta: StatementSync;
  #keys: readonly AuditKey[];

  /** @throws DamagedLog when the end of the log is not sound */
  constructor(database: DatabaseSync, ring: KeyRing) {
    const { origin, vkey, keys } = storedIdentity(database);
    this.#database = database;
    this.#ring = ring;
    this.#keys = keys;
    this.#entries = new EntryText(origin);
    this.#clock = new ClockWatch(origin);
    this.state = readState(database, vkey);
    this.#tiles = new GrowingTiles(new TileNodes(database), this.state.edge.size);
    this.#insertEntry = database.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)');
    this.#putTile = database.prepare(
      'INSERT INTO tile VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bytes = excluded.bytes',
    );
    this.#putMeta = database.prepare(
      'INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    );
  }

  /** The keys of the log, the newest first. */
  get keys(): readonly AuditKey[] {
    return this.#keys;
  }

  /** Write a batch in one transaction; when it returns, the batch is flushed. */
  append(batch: readonly Event[]): Written {
    this.#database.exec('BEGIN IMMEDIATE');
    const written = this.#write(batch);
    this.#database.exec('COMMIT');
    return written;
  }

  /**
   * Hand the log over to the newest key of the ring: the entry that says so, the checkpoint over it
   * that both keys sign, and the list of keys are written in one transaction.
   */
  rotate({ opening, rotation }: Handover, at: number): AuditCheckpoint {
    const { edge } = this.state;
    const { vkey } = this.#ring;
    this.#database.exec('BEGIN IMMEDIATE');
    if (edge.size === 0) this.#write([{ parts: opening, at }]);
    this.#write([{ parts: rotation, at }]);
    this.#keys = [{ vkey, since: edge.size }, ...this.#keys];
    this.#putMeta.run('vkey', vkey);
    this.#putMeta.run('keys', JSON.stringify(this.#keys));
    const checkpoint = this.#putCheckpoint();
    this.#database.exec('COMMIT');
    return checkpoint;
  }

  /** Sign what was added since the last time. It is on disk before anybody sees the signature. */
  sign(): AuditCheckpoint | undefined {
    const { edge, signedSize } = this.state;
    return edge.size === signedSize ? undefined : this.#putCheckpoint();
  }

  #putCheckpoint(): AuditCheckpoint {
    const { edge } = this.state;
    const root = edge.root();
    const note = this.#ring.checkpoint(this.#keys, edge.size, root);
    this.#database
      .prepare('INSERT INTO checkpoint VALUES (?, ?, ?, ?)')
      .run(edge.size, root, note, new Date().toISOString());
    this.state.signedSize = edge.size;
    return { size: edge.size, root: Buffer.from(root).toString('base64'), note };
  }

  noteAnchored(anchored: { size: number; target: string; reference: string; at: string }): void {
    this.#database
      .prepare('INSERT OR IGNORE INTO anchor VALUES (?, ?, ?, ?)')
      .run(anchored.size, anchored.target, anchored.reference, anchored.at);
  }

  #add(parts: EventParts, at: number, digest: Buffer): void {
    const { state } = this;
    const seq = state.edge.size;
    const { prevHash, lastTime } = state;
    const text = this.#entries.render(parts, at, { seq, prevHash, lastTime });
    state.lastTime = Math.max(at, state.lastTime);
    // The input of the leaf hash, and behind its first byte the entry itself (RFC 6962 2.1).
    const prefixed = Buffer.from(`\0${text}`);
    const bytes = prefixed.subarray(1);
    const hex = hash('sha256', bytes, 'hex');
    digest.write(hex, 'hex');
    const leaf = sha256(prefixed);
    this.#insertEntry.run(seq, bytes, digest, leaf);
    this.#tiles.put(0, seq, leaf);
    state.edge.add(leaf, (level, index, root) => this.#tiles.put(level, index, root));
    state.prevHash = hex;
  }

  #write(batch: readonly Event[]): Written {
    const aheadMs = this.#correctClock(batch[0]?.at ?? 0);
    const first = this.state.edge.size;
    const times: number[] = [];
    const hashes = Buffer.alloc(batch.length * 32);
    for (const [index, { parts, at }] of batch.entries()) {
      this.#add(parts, at, hashes.subarray(index * 32, index * 32 + 32));
      times.push(this.state.lastTime);
    }
    this.#putTree();
    return { first, times, hashes, ...(aheadMs !== undefined && { aheadMs }) };
  }

  /** Begin with an entry of the real time, where the newest one is ahead of it; gives by how much. */
  #correctClock(at: number): number | undefined {
    const { state } = this;
    const parts = this.#clock.correction(at, state.lastTime);
    if (parts === undefined) return undefined;
    const aheadMs = state.lastTime - at;
    state.lastTime = at;
    this.#add(parts, at, Buffer.alloc(32));
    return aheadMs;
  }

  #putTree(): void {
    for (const { level, index, bytes } of this.#tiles.take())
      this.#putTile.run(level, index, bytes);
    const { edge, prevHash } = this.state;
    const root = Buffer.from(edge.root()).toString('base64');
    this.#putMeta.run('head', JSON.stringify({ size: edge.size, hash: prevHash, root }));
  }
}
