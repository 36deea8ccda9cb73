import type { Worker } from 'node:worker_threads';
import { formatDuration } from '#contract/config/switch';
import { ServiceError } from '#contract/errors';
import type {
  AuditCheckpoint,
  AuditEvent,
  AuditKey,
  AuditLog,
  AuditPage,
  AuditQuery,
  AuditReceipt,
  AuditRecord,
  AuditStatus,
  AuditVerification,
  RecurringAppend,
} from '#contract/house/audit';
import type { Anchor } from '../anchors/anchor.ts';
import { notesOf, withSilent } from '../anchors/outside.ts';
import type { KeySource } from '../keys/key-files.ts';
import { AppendQueue, type Lost } from '../log/append-queue.ts';
import { isUuid, renderEvent } from '../log/canonical-event.ts';
import type { LogPlace } from '../log/log-place.ts';
import { openingEvent, type Predecessor, rotationEvent } from '../log/own-events.ts';
import { RecurringEvent } from '../log/recurring-event.ts';
import type { CosignedCheckpoint, FromWriter, ToWriter } from '../log/writer-messages.ts';
import { openLogFolder } from '../sqlite/log-folder.ts';
import { Reading } from '../sqlite/reading.ts';
import { unfinishedPath } from '../sqlite/succession-files.ts';
import { Anchoring } from './anchoring.ts';

export interface AuditLogOptions extends KeySource {
  /** PostgreSQL takes the place of the database in `directory`, where only the key file is left. */
  readonly databaseUrl?: string | undefined;
  /** Name of the log when it is created, `<host>/audit`; an existing log keeps its own. */
  readonly origin: string;
  readonly anchors: readonly Anchor[];
  readonly clock?: { now(): number } | undefined;
  /** Hears of what an operator should know: a failed write, an anchor out of reach, a rollback. */
  readonly report?: ((message: string, error?: unknown) => void) | undefined;
}

/**
 * Open the audit log of a directory or a database, or create it. A log that is damaged or was rolled
 * back opens as well, so that it can be looked at; it takes no entries.
 *
 * @throws StartError when the place or the key cannot be used, or another process has the directory
 */
export async function openAuditLog(
  options: AuditLogOptions,
  predecessor?: Predecessor,
): Promise<AuditLog> {
  const log = new ThreadedAuditLog(await openPlace(options, predecessor), options);
  await log.start(predecessor);
  return log;
}

async function openPlace(
  { databaseUrl, origin, ...source }: AuditLogOptions,
  predecessor: Predecessor | undefined,
) {
  if (databaseUrl === undefined) {
    // Beside its predecessor, which stays until the new one is whole.
    const path = predecessor && unfinishedPath(source.directory);
    return openLogFolder(source, origin, path);
  }
  const { openLogDatabase } = await import('../postgres/log-database.ts');
  return openLogDatabase(databaseUrl, source, origin);
}

/** The log as everybody sees it; one thread writes it and another one reads it, wherever it lies. */
class ThreadedAuditLog implements AuditLog {
  readonly origin: string;
  readonly #place: LogPlace;
  readonly #report: (message: string, error?: unknown) => void;
  readonly #now: () => number;
  readonly #queue: AppendQueue;
  readonly #reading: Reading;
  /** A list may look at many entries: no proof waits for one. */
  readonly #listing: Reading;
  readonly #anchoring: Anchoring;
  /** What the writer adds to an event at most: names, places, `clock_skew_ms`. */
  readonly #reservedBytes: number;
  readonly #signing = new Map<number, () => void>();
  readonly #opened = Promise.withResolvers<CosignedCheckpoint | undefined>();
  readonly #ended = Promise.withResolvers<void>();
  #worker: Worker | undefined;
  #keys: readonly AuditKey[];
  #state: AuditStatus['state'] = 'open';
  #reason: string | undefined;
  #size = 0;
  #checkpoint: AuditCheckpoint | undefined;
  #lastId = 0;
  #closing: Promise<void> | undefined;

  constructor(place: LogPlace, { anchors, clock, report }: AuditLogOptions) {
    this.#place = place;
    this.origin = place.identity.origin;
    this.#keys = place.identity.keys;
    this.#report = report ?? (() => undefined);
    this.#now = () => (clock ?? Date).now();
    this.#queue = new AppendQueue((message, transfer) => this.#send(message, transfer), this.#now);
    this.#reading = new Reading(place);
    this.#listing = new Reading(place);
    this.#reservedBytes = 300 + Buffer.byteLength(JSON.stringify(this.origin));
    this.#anchoring = new Anchoring(this, anchors, {
      anchored: (anchored) => this.#send({ kind: 'anchored', anchored }),
      failed: (target, error) =>
        this.#report(`the audit log could not be anchored at ${target}`, error),
      forked: (reason) => this.#forked(reason),
    });
  }

  get keys(): readonly AuditKey[] {
    return this.#keys;
  }

  get vkey(): string {
    return this.#keys[0]?.vkey ?? this.#place.identity.vkey;
  }

  async start(predecessor: Predecessor | undefined): Promise<void> {
    const outside = notesOf(await this.#anchoring.newest());
    const { identity, nextKey } = this.#place;
    const render = (event: AuditEvent) => renderEvent(event, this.#reservedBytes);
    const opening = render(openingEvent(identity, predecessor));
    const rotation = nextKey === undefined ? undefined : render(rotationEvent(identity, nextKey));
    const start = { outside, opening, rotation, at: this.#now() };
    this.#worker = this.#place.startWriter(start);
    this.#worker.on('message', (message: FromWriter) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail('failed', String(error)));
    this.#worker.on('exit', () => this.#ended.resolve());
    const newest = await this.#opened.promise;
    if (this.#state !== 'open') {
      await this.#showCheckpoint();
      return;
    }
    if (this.#size === 0) await this.#queue.add(opening);
    await this.#sign();
    if (this.#checkpoint === undefined) {
      if (newest !== undefined) this.#remember(newest);
      else await this.#loadCheckpoint();
    }
    await this.#anchoring.confirmed();
  }

  async append(event: AuditEvent): Promise<AuditReceipt> {
    this.#refuseUnlessOpen();
    return this.#queue.add(renderEvent(event, this.#reservedBytes));
  }

  appendLater(event: AuditEvent, lost: Lost): void {
    try {
      this.#refuseUnlessOpen();
      this.#queue.addLater(renderEvent(event, this.#reservedBytes), lost);
    } catch (error) {
      lost(error);
    }
  }

  recurring(event: AuditEvent, integer: string, lost: Lost): RecurringAppend {
    const recurring = new RecurringEvent(event, integer, this.#reservedBytes);
    return (correlationId, value) => {
      // What the gaps are made for needs no look at what is put in.
      const fits = isUuid(correlationId) && Number.isSafeInteger(value) && value >= 0;
      if (!fits) return this.appendLater(recurring.with(correlationId, value), lost);
      try {
        this.#refuseUnlessOpen();
        this.#queue.addCall(recurring, correlationId, value, lost);
      } catch (error) {
        lost(error);
      }
    };
  }

  async checkpoint(): Promise<AuditCheckpoint> {
    // Another replica may have signed a newer one; where that cannot be read, ours is as good.
    if (this.#place.shared) await this.#loadCheckpoint().catch(() => undefined);
    if (this.#checkpoint !== undefined) return this.#anchoring.cosigned(this.#checkpoint);
    throw new ServiceError('audit_unavailable', 503, 'the audit log has no signed checkpoint');
  }

  tile(level: number, index: number, width = 256): Promise<Uint8Array | undefined> {
    return this.#reading.ask('tile', level, index, width);
  }

  entriesBundle(index: number, width = 256): Promise<Uint8Array | undefined> {
    return this.#reading.ask('entriesBundle', index, width);
  }

  entry(seq: number): Promise<AuditRecord | undefined> {
    return this.#reading.ask('entry', seq);
  }

  async proof(seq: number, size?: number): Promise<string | undefined> {
    const signed = this.#checkpoint?.size ?? 0;
    const mayBeThere = seq < this.#size || this.#place.shared;
    if (size === undefined && seq >= signed && mayBeThere) await this.#sign();
    return this.#reading.ask('proof', seq, size);
  }

  consistency(from: number, to: number): Promise<readonly string[] | undefined> {
    return this.#reading.ask('consistency', from, to);
  }

  list(query: AuditQuery): Promise<AuditPage> {
    return this.#listing.ask('list', query);
  }

  async verify(): Promise<AuditVerification> {
    const answers = await this.#anchoring.newest();
    const outside = notesOf(answers).map(({ note }) => note);
    const thread = new Reading(this.#place);
    try {
      return withSilent(await thread.ask('verify', this.vkey, outside), answers);
    } finally {
      await thread.close();
    }
  }

  status(): AuditStatus {
    const known = {
      state: this.#state,
      size: this.#size,
      checkpoint: this.#checkpoint,
      anchors: this.#anchoring.status,
    };
    return this.#reason === undefined ? known : { ...known, reason: this.#reason };
  }

  async anchorNow(): Promise<AuditCheckpoint> {
    this.#refuseUnlessOpen();
    await this.#sign();
    if (this.#checkpoint !== undefined) await this.#anchoring.all(this.#checkpoint);
    return this.checkpoint();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const wasOpen = this.#state === 'open';
    if (wasOpen) {
      await this.#queue.settled();
      await this.#sign();
    }
    await this.#anchoring.finish(wasOpen ? this.#checkpoint : undefined);
    this.#state = 'closed';
    // Readers first: the last one that leaves a database of SQLite puts all of it into one file.
    await Promise.all([this.#reading.close(), this.#listing.close()]);
    this.#send({ kind: 'close' });
    await this.#ended.promise;
    this.#queue.refuse(this.#unavailable());
    this.#place.release();
  }

  /** Have everything signed that was added before. */
  async #sign(): Promise<void> {
    this.#queue.flush(true);
    const { promise, resolve } = Promise.withResolvers<void>();
    const id = ++this.#lastId;
    this.#signing.set(id, resolve);
    this.#send({ kind: 'sign', id });
    await promise;
  }

  async #loadCheckpoint(): Promise<void> {
    const checkpoint = await this.#reading.ask('newestCheckpoint');
    if (checkpoint === undefined) return;
    const cosignatures = await this.#reading.ask('cosignatures', checkpoint.size);
    this.#remember({ checkpoint, cosignatures });
  }

  /** Whoever wants to know what was lost asks a log that takes nothing for its checkpoint. */
  async #showCheckpoint(): Promise<void> {
    // Where it cannot be read, the state of the log has said so.
    this.#checkpoint = await this.#reading.ask('newestCheckpoint').catch(() => undefined);
  }

  #remember({ checkpoint, cosignatures }: CosignedCheckpoint): void {
    this.#checkpoint = checkpoint;
    // An anchor may have been out of reach when the log was closed.
    this.#anchoring.offer(checkpoint);
    this.#anchoring.remember(checkpoint.size, cosignatures);
  }

  #receive(message: FromWriter): void {
    switch (message.kind) {
      case 'appended':
        this.#size = message.first + message.times.length;
        this.#queue.appended(message);
        if (message.aheadMs !== undefined) this.#tellClock(message.aheadMs);
        return;
      case 'refused':
        this.#queue.refuse(this.#unavailable(message.unknown), message.count);
        return;
      case 'checkpoint':
        this.#checkpoint = message.checkpoint;
        if (this.#state !== 'rolled_back') this.#anchoring.offer(message.checkpoint);
        return;
      case 'signed':
        this.#signing.get(message.id)?.();
        this.#signing.delete(message.id);
        return;
      case 'state':
        this.#size = message.size;
        this.#keys = message.keys ?? this.#keys;
        if (message.state !== 'open') this.#fail(message.state, message.reason ?? '');
        else if (this.#state === 'failed') this.#recovered();
        this.#opened.resolve(message.newest);
        return;
    }
  }

  #tellClock(aheadMs: number): void {
    const by = formatDuration(Math.round(aheadMs / 1000) * 1000);
    this.#report(
      `the clock had been ahead by ${by}: earlier entries of the audit log have too late a time; an entry says so (AUDIT_CLOCK_CORRECTED)`,
    );
  }

  #recovered(): void {
    this.#state = 'open';
    this.#reason = undefined;
    this.#report('the audit log takes entries again');
  }

  /** What a witness says holds until somebody opens a successor; nothing more is anchored. */
  #forked(reason: string): void {
    this.#anchoring.stop('the log was rolled back');
    if (this.#state !== 'closed') this.#fail('rolled_back', reason);
  }

  #fail(state: 'failed' | 'rolled_back', reason: string): void {
    if (this.#state === 'rolled_back') return;
    this.#state = state;
    this.#reason = reason;
    const name =
      state === 'rolled_back' ? 'AUDIT_ROLLBACK_DETECTED' : 'the audit log cannot be written';
    this.#report(`${name}: ${reason}`);
    this.#opened.resolve(undefined);
  }

  #refuseUnlessOpen(): void {
    // A log that failed may recover: its writer decides, at most once a second.
    if (this.#state === 'rolled_back' || this.#state === 'closed') throw this.#unavailable();
  }

  #unavailable(unknown = false): ServiceError {
    if (this.#state !== 'rolled_back') {
      const why = this.#reason ?? 'it is closed';
      const doubt = unknown ? '; whether this entry was written is not known' : '';
      const message = `the audit log cannot be written: ${why}${doubt}`;
      return new ServiceError('audit_unavailable', 503, message);
    }
    return new ServiceError(
      'audit_rollback_detected',
      503,
      'the audit log was rolled back: the operator of this server has to look at it, stop the server, and open a successor with: agent-tool-server audit succeed "REASON"',
      { isLasting: true },
    );
  }

  #send(message: ToWriter, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }
}
