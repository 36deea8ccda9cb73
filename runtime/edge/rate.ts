const minuteMs = 60_000;
const mostSubjects = 10_000;

/** Counts requests of each session within a minute; of the many that may come, the oldest are forgotten. */
export class Rate {
  readonly #perMinute: number;
  readonly #counts = new Map<string, { since: number; count: number }>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Whether one more is allowed now. */
  take(subject: string, nowMs: number): boolean {
    const known = this.#counts.get(subject);
    if (known === undefined || nowMs - known.since >= minuteMs) {
      this.#counts.delete(subject);
      if (this.#counts.size >= mostSubjects) {
        const [oldest] = this.#counts.keys();
        if (oldest !== undefined) this.#counts.delete(oldest);
      }
      this.#counts.set(subject, { since: nowMs, count: 1 });
      return true;
    }
    known.count += 1;
    return known.count <= this.#perMinute;
  }
}
