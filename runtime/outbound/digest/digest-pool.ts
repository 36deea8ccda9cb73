import type { CallLife } from '../call/call-life.ts';
import type { OutboundLimits } from '../call/options.ts';
import { noRoom } from '../call/unusable-answer.ts';
import type { Digested, DigestJob } from './digest.ts';
import { DigestThread } from './digest-thread.ts';

/** Whose answer it is. */
export interface DigestOwner {
  readonly vendor: string;
  /** Who has asked for it. */
  readonly tenant: string;
}

interface Waiting extends DigestOwner {
  readonly start: (thread: DigestThread) => Promise<unknown>;
}

/**
 * Reads large answers in threads of their own: what takes seconds to parse, and much memory, costs
 * other calls nothing. Those of one vendor are read one after the other, and tenants take turns.
 */
export class DigestPool {
  readonly #limits: OutboundLimits;
  readonly #threads = new Set<DigestThread>();
  readonly #waiting = new Set<Waiting>();
  /** Vendors of which an answer is being read, and for which tenant. */
  readonly #busy = new Map<string, string>();
  /** Tenants that had a turn, the last one last. */
  readonly #served = new Set<string>();
  #closed = false;

  constructor(limits: OutboundLimits) {
    this.#limits = limits;
  }

  /**
   * Read an answer, whose body is given away, for as long as its call lasts.
   *
   * @throws ToolError
   */
  run(job: DigestJob, owner: DigestOwner, life: CallLife): Promise<Digested> {
    const { vendor, tenant } = owner;
    const line = [...this.#waiting].filter(
      (each) => each.vendor === vendor && each.tenant === tenant,
    );
    if (this.#closed || line.length >= this.#limits.digestQueue) throw noRoom();
    const { promise, resolve, reject } = Promise.withResolvers<Digested>();
    const waiting: Waiting = { ...owner, start: (thread) => thread.run(job).then(resolve, reject) };
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
    for (let waiting = this.#first(); waiting !== undefined; waiting = this.#first()) {
      const { vendor, tenant } = waiting;
      const thread = this.#thread();
      if (thread === undefined) return;
      this.#waiting.delete(waiting);
      this.#busy.set(vendor, tenant);
      this.#served.delete(tenant);
      this.#served.add(tenant);
      void waiting.start(thread).finally(() => {
        this.#busy.delete(vendor);
        this.#next();
      });
    }
  }

  /** Who is next: of the tenant for which the fewest are read, and whose last turn was longest ago. */
  #first(): Waiting | undefined {
    const tenants = [...this.#busy.values()];
    const served = [...this.#served];
    const rank = ({ tenant }: Waiting) =>
      tenants.filter((each) => each === tenant).length * (served.length + 1) +
      served.indexOf(tenant);
    const free = [...this.#waiting].filter(({ vendor }) => !this.#busy.has(vendor));
    return free.sort((one, other) => rank(one) - rank(other))[0];
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
