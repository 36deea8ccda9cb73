import type { CallLife } from '../call/call-life.ts';
import type { OutboundLimits } from '../call/options.ts';
import { noRoom } from '../call/unusable-answer.ts';
import type { Digested, DigestJob } from './digest.ts';
import { DigestThread } from './digest-thread.ts';

interface Waiting {
  readonly owner: string;
  readonly start: (thread: DigestThread) => Promise<unknown>;
}

/**
 * Reads large answers in threads of their own: what takes seconds to parse, and much memory, costs
 * other calls nothing. Those of one vendor are read one after the other.
 */
export class DigestPool {
  readonly #limits: OutboundLimits;
  readonly #threads = new Set<DigestThread>();
  readonly #waiting = new Set<Waiting>();
  /** Vendors of which an answer is being read. */
  readonly #busy = new Set<string>();
  #closed = false;

  constructor(limits: OutboundLimits) {
    this.#limits = limits;
  }

  /**
   * Read an answer, whose body is given away, for as long as its call lasts.
   *
   * @throws ToolError
   */
  run(job: DigestJob, owner: string, life: CallLife): Promise<Digested> {
    const line = [...this.#waiting].filter((each) => each.owner === owner);
    if (this.#closed || line.length >= this.#limits.digestQueue) throw noRoom();
    const { promise, resolve, reject } = Promise.withResolvers<Digested>();
    const waiting: Waiting = { owner, start: (thread) => thread.run(job).then(resolve, reject) };
    this.#waiting.add(waiting);
    const over = life.during((reason) => {
      this.#waiting.delete(waiting);
      reject(reason);
    });
    this.#next();
    return promise.finally(over);
  }

  /** End the threads; what they read fails. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #next(): void {
    for (const waiting of this.#waiting) {
      const { owner } = waiting;
      if (this.#busy.has(owner)) continue;
      const thread = this.#thread();
      if (thread === undefined) return;
      this.#waiting.delete(waiting);
      this.#busy.add(owner);
      void waiting.start(thread).finally(() => {
        this.#busy.delete(owner);
        this.#next();
      });
    }
  }

  #thread(): DigestThread | undefined {
    for (const thread of this.#threads) {
      if (thread.isFree) return thread;
      if (thread.isOver) this.#threads.delete(thread);
    }
    const { digestThreads, digestMs, responseBytes, answerWeight } = this.#limits;
    if (this.#threads.size >= digestThreads || this.#closed) return undefined;
    const thread = new DigestThread({
      digestMs,
      maxBytes: responseBytes,
      mostWeight: answerWeight * responseBytes,
      onChange: () => this.#next(),
    });
    this.#threads.add(thread);
    return thread;
  }
}
