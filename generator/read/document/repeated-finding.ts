import type { Path } from '../text/origins.ts';

interface Found {
  readonly path: Path;
  count: number;
}

/** Things that a large description says a thousand times and a person wants to hear of once. */
export class RepeatedFindings {
  readonly #found = new Map<string, Found>();

  /** Note that `key` stands at `path`. */
  add(key: string, path: Path): void {
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, { path: [...path], count: 1 });
    else known.count++;
  }

  /** Give each key with its first place and, in words, how many others there are. */
  *[Symbol.iterator](): Generator<{ key: string; path: Path; others: string }> {
    for (const [key, { path, count }] of this.#found) {
      const places = count === 2 ? 'place' : 'places';
      const others = count === 1 ? '' : ` (and in ${count - 1} other ${places})`;
      yield { key, path, others };
    }
  }
}
