import type { AuditReceipt } from '#contract/audit';
import { ServiceError } from '#contract/errors';
import type { EventParts } from './canonical-event.ts';
import type { FromWriter, ToWriter } from './writer-messages.ts';

const mostWaiting = 20_000;
const mostWaitingCharacters = 64 * 1024 * 1024;
const mostPerMessage = 1000;
/** How long events wait for company when nobody waits for them. */
const gatherMs = 10;
/** One message is being committed while the next one fills. */
const mostInFlight = 2;

interface Waiting {
  readonly parts: EventParts;
  readonly resolve: (receipt: AuditReceipt) => void;
  readonly reject: (error: Error) => void;
}

/** The events between their authors and the writer, bounded; answers come back in order. */
export class AppendQueue {
  readonly #send: (message: ToWriter) => void;
  readonly #now: () => number;
  #unsent: Waiting[] = [];
  #sent: Waiting[] = [];
  #answered = 0;
  #unanswered: number[] = [];
  #characters = 0;
  #scheduled = false;
  #last: Promise<unknown> = Promise.resolve();
  #gathering: NodeJS.Timeout | undefined;

  constructor(send: (message: ToWriter) => void, now: () => number) {
    this.#send = send;
    this.#now = now;
  }

  get waiting(): number {
    return this.#unsent.length + this.#sent.length - this.#answered;
  }

  add(parts: EventParts, unhurried: boolean): Promise<AuditReceipt> {
    if (this.waiting >= mostWaiting || this.#characters >= mostWaitingCharacters) {
      throw new ServiceError('audit_overloaded', 503, 'too many entries wait for the audit log', {
        retryAfterMs: 1000,
      });
    }
    const { promise, resolve, reject } = Promise.withResolvers<AuditReceipt>();
    this.#unsent.push({ parts, resolve, reject });
    this.#characters += lengthOf(parts);
    this.#last = promise;
    if (!unhurried) this.#flushSoon();
    // Behind an event in a hurry there is no need for a timer.
    else if (this.#unsent.length === 1) this.#gathering = setTimeout(() => this.flush(), gatherMs);
    return promise;
  }

  /** Send everything, and wait until it is answered. */
  async settled(): Promise<void> {
    this.flush();
    await Promise.allSettled([this.#last]);
  }

  #flushSoon(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.flush());
  }

  /** Send what waits, as far as the writer takes it. */
  flush(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#scheduled = false;
    while (this.#unsent.length > 0 && this.#unanswered.length < mostInFlight) {
      const batch = this.#unsent.slice(0, mostPerMessage);
      this.#unsent = this.#unsent.slice(mostPerMessage);
      for (const waiting of batch) this.#sent.push(waiting);
      this.#unanswered.push(batch.length);
      const parts = batch.flatMap((waiting) => waiting.parts);
      this.#send({ kind: 'append', at: this.#now(), parts });
    }
  }

  appended({ first, times, hashes }: Extract<FromWriter, { kind: 'appended' }>): void {
    let lastTime = Number.NaN;
    let ts = '';
    const hex = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.length).toString('hex');
    for (const [index, time] of times.entries()) {
      if (time !== lastTime) ts = new Date(time).toISOString();
      lastTime = time;
      const hash = hex.slice(index * 64, index * 64 + 64);
      this.#next()?.resolve({ seq: first + index, hash, ts });
    }
    this.#settled(times.length);
  }

  /** Refuse the oldest `count` events, or all of them. */
  refuse(error: ServiceError, count = this.waiting): void {
    const all = count >= this.waiting;
    if (all) {
      this.#sent.push(...this.#unsent);
      this.#unsent = [];
    }
    for (let index = 0; index < count; index++) this.#next()?.reject(error);
    this.#settled(count);
    if (all) this.#unanswered = [];
  }

  #next(): Waiting | undefined {
    const waiting = this.#sent[this.#answered++];
    if (waiting !== undefined) this.#characters -= lengthOf(waiting.parts);
    return waiting;
  }

  #settled(count: number): void {
    if (this.#answered > 4096 || this.#answered === this.#sent.length) {
      this.#sent = this.#sent.slice(this.#answered);
      this.#answered = 0;
    }
    let left = count;
    while (left > 0 && this.#unanswered[0] !== undefined) {
      const taken = Math.min(left, this.#unanswered[0]);
      this.#unanswered[0] -= taken;
      left -= taken;
      if (this.#unanswered[0] === 0) this.#unanswered.shift();
    }
    if (this.#gathering === undefined) this.flush();
  }
}

function lengthOf(parts: EventParts): number {
  return parts[0].length + parts[1].length + parts[2].length;
}
