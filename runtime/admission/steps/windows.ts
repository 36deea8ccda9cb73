/** More who are counted at a time than that, and the oldest is forgotten. */
const mostCounted = 10_000;

interface Window {
  count: number;
  readonly until: number;
}

/** Counts uses by key in windows of one length: the first use begins one. */
export class Windows {
  readonly #requests: number;
  readonly #perMs: number;
  readonly #now: () => number;
  /** All last equally long, so that those that came first end first. */
  readonly #windows = new Map<string, Window>();

  constructor(requests: number, perMs: number, now: () => number = () => performance.now()) {
    this.#requests = requests;
    this.#perMs = perMs;
    this.#now = now;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** Count one use; gives how many milliseconds too early it comes, if it does. */
  use(key: string): number | undefined {
    const now = this.#now();
    const window = this.#windows.get(key);
    if (window && window.until > now) {
      window.count += 1;
      return window.count > this.#requests ? window.until - now : undefined;
    }
    this.#makeRoom(now);
    this.#windows.delete(key);
    this.#windows.set(key, { count: 1, until: now + this.#perMs });
    return undefined;
  }

  #makeRoom(now: number): void {
    for (const [key, { until }] of this.#windows) {
      if (until > now && this.#windows.size < mostCounted) return;
      this.#windows.delete(key);
    }
  }
}
