import { ServiceError } from '#contract/errors';
import type { AuditReceipt } from '#contract/house/audit';
import type { EventParts } from './canonical-event.ts';
import { EventBatch } from './event-batch.ts';
import type { FromWriter, ToWriter } from './writer-messages.ts';

const mostWaiting = 20_000;
const mostWaitingBytes = 64 * 1024 * 1024;
const mostPerMessage = 1000;
/** How long events wait for company when nobody waits for them. */
const gatherMs = 25;
/** One message is being committed while the next one fills. */
const mostInFlight = 2;

/** Who hears what became of an event: of everything, or only of its loss. */
type Author = Receiver | Lost;
type Receiver = Pick<PromiseWithResolvers<AuditReceipt>, 'resolve' | 'reject'>;
export type Lost = (error: unknown) => void;

interface Sealed {
  readonly events: Uint8Array<ArrayBuffer>;
  readonly authors: readonly Author[];
}

/** The events between their authors and the writer, bounded; answers come back in order. */
export class AppendQueue {
  readonly #send: (message: ToWriter, transfer: readonly ArrayBuffer[]) => void;
  readonly #now: () => number;
  readonly #batch = new EventBatch();
  /** Authors of the events in the batch. */
  #authors: Author[] = [];
  /** Batches that are full. */
  #sealed: Sealed[] = [];
  #sent: Author[] = [];
  #answered = 0;
  #unanswered: { count: number; readonly bytes: number }[] = [];
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
    if (!this.#scheduled) {
      this.#scheduled = true;
      queueMicrotask(() => this.flush());
    }
    return promise;
  }

  /** Add an event that nobody waits for: it leaves with the next one that is in a hurry, or soon. */
  addLater(parts: EventParts, lost: Lost): void {
    this.#take(parts, lost);
    if (this.#scheduled) return;
    this.#gathering ??= setTimeout(() => this.flush(), gatherMs);
  }

  #take(parts: EventParts, author: Author): void {
    if (this.#waiting >= mostWaiting || this.#bytes >= mostWaitingBytes) {
      throw new ServiceError('audit_overloaded', 503, 'too many entries wait for the audit log', {
        retryAfterMs: 1000,
      });
    }
    if (this.#authors.length === mostPerMessage || !this.#batch.fits(parts)) this.#seal();
    this.#bytes += this.#batch.add(parts);
    this.#authors.push(author);
    this.#waiting++;
  }

  #seal(): void {
    if (this.#authors.length === 0) return;
    this.#sealed.push({ events: this.#batch.take(), authors: this.#authors });
    this.#authors = [];
  }

  /** Send everything, and wait until what is here now has been answered. */
  async settled(): Promise<void> {
    this.flush();
    if (this.#waiting === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#settling = { left: this.#waiting, resolve };
    await promise;
  }

  /** Send what waits, as far as the writer takes it. */
  flush(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#scheduled = false;
    while (this.#unanswered.length < mostInFlight) {
      if (this.#sealed.length === 0) this.#seal();
      const batch = this.#sealed.shift();
      if (batch === undefined) return;
      const { events, authors } = batch;
      for (const author of authors) this.#sent.push(author);
      this.#unanswered.push({ count: authors.length, bytes: events.length });
      const count = authors.length;
      this.#send({ kind: 'append', at: this.#now(), count, events }, [events.buffer]);
    }
  }

  appended({ first, times, hashes }: Extract<FromWriter, { kind: 'appended' }>): void {
    const bytes = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.length);
    for (const [index, time] of times.entries()) {
      const author = this.#next();
      if (typeof author !== 'object') continue;
      const hash = bytes.toString('hex', index * 32, index * 32 + 32);
      author.resolve({ seq: first + index, hash, ts: new Date(time).toISOString() });
    }
    this.#settled(times.length);
  }

  /** Refuse the oldest `count` events, or all of them. */
  refuse(error: ServiceError, count = this.#waiting): void {
    const all = count >= this.#waiting;
    if (all) {
      this.#seal();
      this.#sent.push(...this.#sealed.flatMap(({ authors }) => authors));
      this.#sealed = [];
    }
    for (let index = 0; index < count; index++) {
      const author = this.#next();
      if (typeof author === 'object') author.reject(error);
      else author?.(error);
    }
    if (all) {
      this.#unanswered = [];
      this.#bytes = 0;
    }
    this.#settled(count);
  }

  #next(): Author | undefined {
    return this.#sent[this.#answered++];
  }

  #settled(count: number): void {
    this.#waiting -= count;
    if (this.#answered > 4096 || this.#answered >= this.#sent.length) {
      this.#sent = this.#sent.slice(this.#answered);
      this.#answered = 0;
    }
    let left = count;
    for (let batch = this.#unanswered[0]; left > 0 && batch; batch = this.#unanswered[0]) {
      const taken = Math.min(left, batch.count);
      batch.count -= taken;
      left -= taken;
      if (batch.count > 0) break;
      this.#bytes -= batch.bytes;
      this.#unanswered.shift();
    }
    if (this.#settling) {
      this.#settling.left -= count;
      if (this.#settling.left <= 0) this.#settling.resolve();
    }
    if (this.#gathering === undefined) this.flush();
  }
}
