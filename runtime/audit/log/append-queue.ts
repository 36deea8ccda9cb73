import { ServiceError } from '#contract/errors';
import type { AuditReceipt } from '#contract/house/audit';
import type { EventParts } from './canonical-event.ts';
import { EventBatch } from './event-batch.ts';
import type { RecurringEvent } from './recurring-event.ts';
import type { FromWriter, ToWriter } from './writer-messages.ts';

const mostWaiting = 20_000;
const mostWaitingBytes = 64 * 1024 * 1024;
const mostPerMessage = 1000;
/** How long events wait for company when nobody waits for them. */
const gatherMs = 25;
/** One message is being committed while the next one, which is full, waits at the writer. */
const mostInFlight = 2;

/** Who hears what became of an event: of everything, or only of its loss. */
type Author = Receiver | Lost;
type Receiver = Pick<PromiseWithResolvers<AuditReceipt>, 'resolve' | 'reject'>;
export type Lost = (error: unknown) => void;

interface Sealed {
  readonly events: Uint8Array<ArrayBuffer>;
  readonly authors: readonly Author[];
  /** Whether anybody waits for one of them. */
  readonly awaited: boolean;
}

/** A batch that the writer has; the first `answered` of its events are done with. */
interface Sent {
  readonly authors: readonly Author[];
  readonly awaited: boolean;
  readonly bytes: number;
  answered: number;
}

/** The events between their authors and the writer, bounded; answers come back in order. */
export class AppendQueue {
  readonly #send: (message: ToWriter, transfer: readonly ArrayBuffer[]) => void;
  readonly #now: () => number;
  readonly #batch = new EventBatch();
  /** Authors of the events in the batch. */
  #authors: Author[] = [];
  #awaited = false;
  /** Batches that are full. */
  #sealed: Sealed[] = [];
  readonly #sent: Sent[] = [];
  #bytes = 0;
  #waiting = 0;
  #scheduled = false;
  #gathering: NodeJS.Timeout | undefined;
  /** Resolves when as many events as it says have been answered. */
  #settling: { left: number; readonly resolve: () => void } | undefined;

  constructor(
    send: (message: ToWriter, transfer: readonly ArrayBuffer[]) => void,
    now: () => number,
  ) {
    this.#send = send;
    this.#now = now;
  }

  /** Add an event that somebody waits for. */
  add(parts: EventParts): Promise<AuditReceipt> {
    const { promise, resolve, reject } = Promise.withResolvers<AuditReceipt>();
    this.#take(parts, { resolve, reject });
    this.#awaited = true;
    if (!this.#scheduled) {
      this.#scheduled = true;
      queueMicrotask(() => this.flush());
    }
    return promise;
  }

  /** Add an event that nobody waits for: it leaves with the next one that is in a hurry, or soon. */
  addLater(parts: EventParts, lost: Lost): void {
    this.#take(parts, lost);
    this.#gather();
  }

  /** Add a call of a recurring event that nobody waits for; `id` is a UUID. */
  addCall(event: RecurringEvent, id: string, value: number, lost: Lost): void {
    this.#requireRoom();
    if (this.#authors.length === mostPerMessage || !this.#batch.fitsCall(event)) this.#seal();
    this.#bytes += this.#batch.addCall(event, id, value);
    this.#authors.push(lost);
    this.#waiting++;
    this.#gather();
  }

  #gather(): void {
    if (this.#scheduled) return;
    this.#gathering ??= setTimeout(() => this.flush(), gatherMs);
  }

  #take(parts: EventParts, author: Author): void {
    this.#requireRoom();
    if (this.#authors.length === mostPerMessage || !this.#batch.fits(parts)) this.#seal();
    this.#bytes += this.#batch.add(parts);
    this.#authors.push(author);
    this.#waiting++;
  }

  #requireRoom(): void {
    if (this.#waiting < mostWaiting && this.#bytes < mostWaitingBytes) return;
    throw new ServiceError('audit_overloaded', 503, 'too many entries wait for the audit log', {
      retryAfterMs: 1000,
    });
  }

  #seal(): void {
    if (this.#authors.length === 0) return;
    const [events, authors, awaited] = [this.#batch.take(), this.#authors, this.#awaited];
    this.#sealed.push({ events, authors, awaited });
    this.#authors = [];
    this.#awaited = false;
  }

  /** Send everything, and wait until what is here now has been answered. */
  async settled(): Promise<void> {
    this.flush();
    if (this.#waiting === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#settling = { left: this.#waiting, resolve };
    await promise;
  }

  /**
   * Send what waits, as far as the writer takes it. While it is busy, what is not full yet fills up
   * unless it is wanted now: a commit takes as long for many as for one.
   */
  flush(isWanted = false): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#scheduled = false;
    while (this.#sent.length < mostInFlight) {
      const fillsUp = this.#sent.length > 0 && !isWanted;
      if (this.#sealed.length === 0 && !fillsUp) this.#seal();
      const batch = this.#sealed.shift();
      if (batch === undefined) return;
      const { events, authors, awaited } = batch;
      this.#sent.push({ authors, awaited, bytes: events.length, answered: 0 });
      const count = authors.length;
      this.#send({ kind: 'append', at: this.#now(), count, events }, [events.buffer]);
    }
  }

  appended({ first, times, hashes }: Extract<FromWriter, { kind: 'appended' }>): void {
    const bytes = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.length);
    let index = 0;
    for (const { authors, awaited } of this.#answer(times.length)) {
      // Mostly nobody waits, and who only hears of losses has nothing to hear.
      if (!awaited) {
        index += authors.length;
        continue;
      }
      for (const author of authors) {
        if (typeof author === 'object') {
          const hash = bytes.toString('hex', index * 32, index * 32 + 32);
          const ts = new Date(times[index] ?? 0).toISOString();
          author.resolve({ seq: first + index, hash, ts });
        }
        index++;
      }
    }
    this.#settled(times.length);
  }

  /** Refuse the oldest `count` events, or all of them. */
  refuse(error: ServiceError, count = this.#waiting): void {
    const refused = this.#answer(count);
    // Those that the writer never had.
    if (count >= this.#waiting) {
      this.#seal();
      refused.push(...this.#sealed);
      this.#sealed = [];
      this.#bytes = 0;
    }
    for (const { authors } of refused) {
      for (const author of authors) {
        if (typeof author === 'object') author.reject(error);
        else author(error);
      }
    }
    this.#settled(count);
  }

  /** The authors of the oldest `count` events that the writer has, which are answered herewith. */
  #answer(count: number): Pick<Sealed, 'authors' | 'awaited'>[] {
    const answered: Pick<Sealed, 'authors' | 'awaited'>[] = [];
    let left = count;
    for (let batch = this.#sent[0]; left > 0 && batch; batch = this.#sent[0]) {
      const { authors, awaited, answered: done, bytes } = batch;
      const taken = Math.min(left, authors.length - done);
      answered.push({ authors: authors.slice(done, done + taken), awaited });
      batch.answered += taken;
      left -= taken;
      if (batch.answered < authors.length) break;
      this.#bytes -= bytes;
      this.#sent.shift();
    }
    return answered;
  }

  #settled(count: number): void {
    this.#waiting -= count;
    if (this.#settling) {
      this.#settling.left -= count;
      if (this.#settling.left <= 0) this.#settling.resolve();
    }
    if (this.#gathering === undefined || this.#awaited) this.flush();
  }
}
