import { hash } from 'node:crypto';
import type { AuditCheckpoint, AuditKey } from '#contract/house/audit';
import { KeyReplaced, type KeyRing } from '../keys/key-ring.ts';
import type { EventParts } from '../log/canonical-event.ts';
import { ClockWatch } from '../log/clock-watch.ts';
import { EntryText } from '../log/entry-text.ts';
import { DamagedLog } from '../log/log-state.ts';
import type { Anchored, Handover } from '../log/writer-messages.ts';
import type { Written } from '../sqlite/log-writer.ts';
import { tileWidth } from '../tree/tile-nodes.ts';
import { leafHash, TreeEdge } from '../verify/verify.ts';
import type { Connection } from './connection.ts';
import { type KnownLog, readIdentity } from './logs.ts';
import { bytesOf } from './stored-tree.ts';

/** The clocks of replicas differ: only what is more than this is said in the entry. */
const toleratedSkewMs = 1000;

/** While the newest checkpoint is not older, no other replica signs one of its own accord. */
const freshMs = 900;

/** Events that are committed together. */
export interface Batch {
  /** Counts the batches of this replica: with its id, the key under which the batch is noted. */
  readonly number: number;
  readonly events: readonly { readonly parts: EventParts; readonly at: number }[];
  /** Only the first entry of a log. */
  readonly opening?: boolean;
  /** What the last attempt has sent, which may be committed even when its answer was lost. */
  sent?: Written;
  /** Whether the commit itself was sent, and its answer lost. */
  inDoubt: boolean;
}

/** An entry that comes in front of a batch. */
interface Correction {
  readonly event: Batch['events'][number];
  readonly aheadMs: number;
}

/** Where the log ends, under its lock. */
interface LockedHead {
  readonly edge: TreeEdge;
  readonly hash: string;
  readonly time: number;
}

/** What a look at the log without its lock shows. */
export interface Seen {
  readonly size: number;
  readonly checkpoint: AuditCheckpoint | undefined;
  /** Whether somebody should sign now. */
  readonly due: boolean;
  readonly successor: string | undefined;
  /** The newest key. */
  readonly vkey: string;
}

/** The log after a rotation. */
export interface Rotated {
  readonly edge: TreeEdge;
  readonly keys: readonly AuditKey[];
  /** Absent when another replica was first. */
  readonly checkpoint?: AuditCheckpoint;
}

/** The log has another one that continues it. */
export class Succeeded extends Error {}

/**
 * Writes entries, tiles and checkpoints as one of several replicas. The row of `audit_head` is the
 * lock of the log: whoever has it reads the end from it, adds a batch and commits. A replica that
 * wrote for all others would need an inbox of theirs; as each one writes for itself there is none,
 * and what could be lost or doubled, a commit whose answer does not arrive, is noted in the same
 * transaction under the replica's id and the number of the batch (`audit_batch`).
 *
 * Any failure makes the connection useless, and this with it.
 */
export class PostgresLogWriter {
  readonly #connection: Connection;
  readonly #log: number;
  readonly #replica: string;
  readonly #ring: KeyRing;
  readonly #entries: EntryText;
  readonly #clock: ClockWatch;
  /** So many entries are there at least. */
  #size = 0;

  constructor(connection: Connection, log: KnownLog, replica: string, ring: KeyRing) {
    this.#connection = connection;
    this.#log = log.id;
    this.#replica = replica;
    this.#ring = ring;
    this.#entries = new EntryText(log.identity.origin);
    this.#clock = new ClockWatch(log.identity.origin);
  }

  /** Write a batch, unless an earlier attempt did; when it returns, the batch is flushed. */
  async append(batch: Batch): Promise<{ readonly written: Written; readonly edge: TreeEdge }> {
    const head = await this.#lock();
    const known = await this.#isWritten(batch);
    batch.inDoubt = false;
    if (known !== undefined || (batch.opening === true && head.edge.size > 0)) {
      await this.#connection.query('rollback');
      const none = { first: head.edge.size, times: [], hashes: new Uint8Array() };
      return { written: known ?? none, edge: head.edge };
    }
    const correction = this.#correctionBefore(batch, head);
    batch.sent = await this.#insert(head, batch, correction);
    batch.inDoubt = true;
    await this.#connection.query('commit');
    batch.inDoubt = false;
    return { written: batch.sent, edge: head.edge };
  }

  /** The entry that comes first where the newest one is ahead of the time (AUDIT_CLOCK_CORRECTED). */
  #correctionBefore({ events: [first] }: Batch, { time }: LockedHead): Correction | undefined {
    if (first === undefined) return undefined;
    const { at } = first;
    const parts = this.#clock.correction(at, time);
    return parts && { event: { parts, at }, aheadMs: time - at };
  }

  /** Sign what was added since the last time; it is committed before anybody sees the signature. */
  async sign(): Promise<AuditCheckpoint | undefined> {
    const { edge } = await this.#lock();
    const [newest] = await this.#connection.query(
      'select max(size) as size from audit_checkpoint where log = $1',
      [this.#log],
    );
    if (edge.size === 0 || Number(newest?.['size'] ?? 0) === edge.size) {
      await this.#connection.query('rollback');
      return (await this.look()).checkpoint;
    }
    const { keys } = await readIdentity(this.#connection, this.#log);
    const checkpoint = await this.#putCheckpoint(edge, keys);
    await this.#connection.query('commit');
    return checkpoint;
  }

  /**
   * Hand the log over to the newest key of the ring, unless another replica did: the entry that says
   * so, the checkpoint over it that both keys sign, and the list of keys are one transaction.
   */
  async rotate({ opening, rotation }: Handover): Promise<Rotated> {
    const head = await this.#lock();
    const { edge } = head;
    const { vkey: newest, keys } = await readIdentity(this.#connection, this.#log);
    if (newest !== this.#ring.previous) {
      await this.#connection.query('rollback');
      if (newest !== this.#ring.vkey) throw new KeyReplaced(newest, this.#ring.vkey);
      return { edge, keys };
    }
    const parts = edge.size === 0 ? [opening, rotation] : [rotation];
    const at = Date.now();
    await this.#insert(head, { number: 0, events: parts.map((each) => ({ parts: each, at })) });
    const rotated = [{ vkey: this.#ring.vkey, since: edge.size }, ...keys];
    await this.#connection.query(
      `insert into audit_meta values ($1, 'vkey', $2), ($1, 'keys', $3)
       on conflict (log, name) do update set value = excluded.value`,
      [this.#log, this.#ring.vkey, JSON.stringify(rotated)],
    );
    const checkpoint = await this.#putCheckpoint(edge, rotated);
    await this.#connection.query('commit');
    return { edge, keys: rotated, checkpoint };
  }

  async #putCheckpoint(edge: TreeEdge, keys: readonly AuditKey[]): Promise<AuditCheckpoint> {
    const root = edge.root();
    const note = this.#ring.checkpoint(keys, edge.size, root);
    await this.#connection.query('insert into audit_checkpoint values ($1, $2, $3, $4, $5)', [
      this.#log,
      edge.size,
      root,
      note,
      new Date().toISOString(),
    ]);
    return { size: edge.size, root: Buffer.from(root).toString('base64'), note };
  }

  /** Look what the replicas have written and signed. */
  async look(): Promise<Seen> {
    const [row] = await this.#connection.query(
      `select head.size, successor, signed.size as signed, signed.root, note,
         signed.created > $2 as fresh,
         (select value from audit_meta where log = head.log and name = 'vkey') as vkey
       from audit_head head left join lateral (
         select * from audit_checkpoint where log = head.log order by size desc limit 1) signed on true
       where head.log = $1`,
      [this.#log, new Date(Date.now() - freshMs).toISOString()],
    );
    const [size, signed] = [Number(row?.['size'] ?? 0), Number(row?.['signed'] ?? 0)];
    const root = row?.['root'];
    const checkpoint = Buffer.isBuffer(root)
      ? { size: signed, root: root.toString('base64'), note: String(row?.['note']) }
      : undefined;
    const due = size > signed && row?.['fresh'] !== true;
    const successor = successorOf(row?.['successor']);
    return { size, checkpoint, due, successor, vkey: String(row?.['vkey']) };
  }

  async noteAnchored({ size, target, reference, at }: Anchored): Promise<void> {
    await this.#connection.query(
      'insert into audit_anchor values ($1, $2, $3, $4, $5) on conflict do nothing',
      [this.#log, size, target, reference, at],
    );
  }

  /** Begin a transaction and wait until the log is ours. */
  async #lock(): Promise<LockedHead> {
    const [row] = await this.#connection.query(
      `begin; select size, hash, edge, time, successor from audit_head where log = ${this.#log} for update`,
    );
    if (row === undefined) throw new DamagedLog('the audit log has lost its head');
    const successor = successorOf(row['successor']);
    if (successor !== undefined) throw new Succeeded(`it is continued as ${successor}`);
    const edge = new TreeEdge();
    edge.size = Number(row['size']);
    if (edge.size < this.#size) throw new DamagedLog('entries that were acknowledged are gone');
    this.#size = edge.size;
    const hashes = bytesOf(row['edge']);
    for (let at = 0; at < hashes.length; at += 32) edge.stack.push(hashes.subarray(at, at + 32));
    return { edge, hash: bytesOf(row['hash']).toString('hex'), time: Number(row['time']) };
  }

  /** Find out whether an earlier attempt was committed. Under the lock none can be any more. */
  async #isWritten({ number, sent }: Batch): Promise<Written | undefined> {
    if (sent === undefined) return undefined;
    const rows = await this.#connection.query(
      'select 1 from audit_batch where replica = $1 and log = $2 and number = $3 and first = $4',
      [this.#replica, this.#log, number, sent.noted ?? sent.first],
    );
    return rows.length > 0 ? sent : undefined;
  }

  async #insert(
    head: LockedHead,
    { number, events: own }: Pick<Batch, 'number' | 'events'>,
    correction?: Correction,
  ): Promise<Written> {
    const { edge } = head;
    const first = edge.size;
    const events = correction === undefined ? own : [correction.event, ...own];
    const since = correction?.event.at ?? head.time;
    const made = this.#make({ ...head, time: since }, events);
    const { hash: last, time } = made;
    await this.#connection.query(
      `with entries as (
         insert into audit_entry
         select $1::integer, $2::bigint + i - 1, substring($3::bytea from start for size),
           substring($4::bytea from i * 32 - 31 for 32), substring($5::bytea from i * 32 - 31 for 32)
         from (select start, size, i::integer from unnest($6::integer[], $7::integer[])
           with ordinality as place (start, size, i)) places),
       noted as (
         insert into audit_batch (replica, log, number, first, count) values ($8, $1, $9, $2, $10)
         on conflict (replica) do update set log = $1, number = $9, first = $2, count = $10, at = now())
       update audit_head set size = $2 + $10, hash = $11, root = $12, edge = $13, time = $14
       where log = $1 and size = $2`,
      [
        this.#log,
        first,
        Buffer.concat(made.texts),
        made.hashes,
        made.leaves,
        made.starts,
        made.texts.map(({ length }) => length),
        this.#replica,
        number,
        events.length,
        last,
        edge.root(),
        Buffer.concat(edge.stack),
        time,
      ],
    );
    await this.#growTiles(first, edge.size, made.nodes);
    const written = { noted: first, first, times: made.times, hashes: made.hashes };
    if (correction === undefined) return written;
    return {
      ...{ noted: first, first: first + 1, times: made.times.slice(1) },
      ...{ hashes: made.hashes.subarray(32), aheadMs: correction.aheadMs },
    };
  }

  /** Build the entries of a batch behind `head`, whose edge moves on. */
  #make(head: LockedHead, events: Batch['events']) {
    const { edge } = head;
    let { hash: prevHash, time: lastTime } = head;
    const [texts, starts, times]: [Buffer[], number[], number[]] = [[], [], []];
    const hashes = Buffer.alloc(events.length * 32);
    const leaves = Buffer.alloc(events.length * 32);
    const nodes: Node[] = [];
    let start = 1;
    for (const [index, { parts, at }] of events.entries()) {
      const time = lastTime - at > toleratedSkewMs ? at : Math.max(at, lastTime);
      const text = this.#entries.render(parts, time, { seq: edge.size, prevHash, lastTime });
      const bytes = Buffer.from(text);
      const leaf = leafHash(text);
      prevHash = hash('sha256', text, 'hex');
      lastTime = Math.max(at, lastTime);
      hashes.write(prevHash, index * 32, 'hex');
      leaves.set(leaf, index * 32);
      texts.push(bytes);
      starts.push(start);
      times.push(lastTime);
      start += bytes.length;
      edge.add(leaf, (level, place, root) => nodes.push({ level, index: place, root }));
    }
    return {
      texts,
      starts,
      times,
      hashes,
      leaves,
      nodes,
      time: lastTime,
      hash: hashes.subarray(-32),
    };
  }

  /** Store the tiles that are full now, and let those of higher levels grow (C2SP tlog-tiles). */
  async #growTiles(first: number, end: number, nodes: readonly Node[]): Promise<void> {
    const [from, to] = [first, end].map((seq) => Math.floor(seq / tileWidth) * tileWidth);
    if (from === to) return;
    await this.#connection.query(
      `insert into audit_tile
       select $1::integer, 0, seq / ${tileWidth}, string_agg(leaf, ''::bytea order by seq)
       from audit_entry where log = $1 and seq >= $2 and seq < $3 group by seq / ${tileWidth}`,
      [this.#log, from, to],
    );
    const grown = [...Map.groupBy(nodes, tileOf).values()];
    await this.#connection.query(
      `insert into audit_tile select $1::integer, * from unnest($2::integer[], $3::bigint[], $4::bytea[])
       on conflict (log, level, idx) do update set bytes = audit_tile.bytes || excluded.bytes`,
      [
        this.#log,
        grown.map(([node]) => node?.level),
        grown.map(([node]) => Math.floor((node?.index ?? 0) / tileWidth)),
        grown.map((members) => Buffer.concat(members.map(({ root }) => root))),
      ],
    );
  }
}

interface Node {
  readonly level: number;
  readonly index: number;
  readonly root: Uint8Array;
}

function tileOf({ level, index }: Node): string {
  return `${level}/${Math.floor(index / tileWidth)}`;
}

function successorOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
