import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AuditCheckpoint } from '#contract/audit';
import type { EventParts } from './canonical-event.ts';
import { EntryText } from './entry-text.ts';
import { GrowingTiles } from './growing-tiles.ts';
import { type LogState, readState } from './log-state.ts';
import type { LogIdentity } from './schema.ts';
import type { Signer } from './signing-key.ts';
import { TileNodes } from './tile-nodes.ts';
import { leafHash } from './verify.ts';

/** Where a batch came to stand. */
export interface Written {
  readonly first: number;
  readonly times: readonly number[];
  /** 32 bytes for each entry. */
  readonly hashes: Uint8Array;
}

/** Writes entries, tiles and checkpoints: the only code that does. Any failure makes it useless. */
export class LogWriter {
  readonly state: LogState;
  readonly #database: DatabaseSync;
  readonly #signer: Signer;
  readonly #entries: EntryText;
  readonly #tiles: GrowingTiles;
  readonly #insertEntry: StatementSync;
  readonly #putTile: StatementSync;
  readonly #putHead: StatementSync;

  /** @throws DamagedLog when the end of the log is not sound */
  constructor(database: DatabaseSync, { origin, vkey }: LogIdentity, signer: Signer) {
    this.#database = database;
    this.#signer = signer;
    this.#entries = new EntryText(origin);
    this.state = readState(database, vkey);
    this.#tiles = new GrowingTiles(new TileNodes(database), this.state.edge.size);
    this.#insertEntry = database.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)');
    this.#putTile = database.prepare(
      'INSERT INTO tile VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bytes = excluded.bytes',
    );
    this.#putHead = database.prepare(
      "INSERT INTO meta VALUES ('head', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
    );
  }

  /** Write a batch in one transaction; when it returns, the batch is flushed. */
  append(batch: readonly { readonly parts: EventParts; readonly at: number }[]): Written {
    const first = this.state.edge.size;
    const times: number[] = [];
    const hashes = Buffer.alloc(batch.length * 32);
    this.#database.exec('BEGIN IMMEDIATE');
    for (const [index, { parts, at }] of batch.entries()) {
      this.#add(parts, at, hashes.subarray(index * 32, index * 32 + 32));
      times.push(this.state.lastTime);
    }
    for (const { level, index, bytes } of this.#tiles.take())
      this.#putTile.run(level, index, bytes);
    this.#putHead.run(this.#head());
    this.#database.exec('COMMIT');
    return { first, times, hashes };
  }

  /** Sign what was added since the last time. It is on disk before anybody sees the signature. */
  sign(): AuditCheckpoint | undefined {
    const { edge, signedSize } = this.state;
    if (edge.size === signedSize) return undefined;
    const root = edge.root();
    const note = this.#signer.checkpoint(edge.size, root);
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
    const bytes = Buffer.from(text);
    const hex = hash('sha256', bytes, 'hex');
    digest.write(hex, 'hex');
    const leaf = leafHash(text);
    this.#insertEntry.run(seq, bytes, digest, leaf);
    this.#tiles.put(0, seq, leaf);
    state.edge.add(leaf, (level, index, root) => this.#tiles.put(level, index, root));
    state.prevHash = hex;
  }

  #head(): string {
    const { edge, prevHash } = this.state;
    const root = Buffer.from(edge.root()).toString('base64');
    return JSON.stringify({ size: edge.size, hash: prevHash, root });
  }
}
