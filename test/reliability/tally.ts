import type { Victim } from './victim.ts';

/** What one kind of kill has shown. */
export interface Figures {
  readonly engine: string;
  readonly kind: string;
  readonly kills: number;
  /** How many kills fell where. */
  readonly before: number;
  readonly within: number;
  readonly after: number;
  readonly acknowledged: number;
  /** What was found afterwards: some of it was written, and killed before it was acknowledged. */
  readonly written: number;
  readonly lost: number;
  readonly doubled: number;
  /** Rounds after which everything that was left was sound. */
  readonly verified: number;
  /** Starts after a kill that came to their work by themselves. */
  readonly restarts: number;
  /** What was not as it should be. */
  readonly problems: readonly string[];
}

type Counted = 'acknowledged' | 'written' | 'lost' | 'doubled' | 'verified' | 'restarts';

/** Collects the figures of one kind of kill. */
export class Tally {
  readonly #engine: string;
  readonly #kind: string;
  readonly #places = { before: 0, within: 0, after: 0 };
  readonly #counts: Record<Counted, number> = {
    acknowledged: 0,
    written: 0,
    lost: 0,
    doubled: 0,
    verified: 0,
    restarts: 0,
  };
  readonly #problems: string[] = [];
  #kills = 0;

  constructor(engine: string, kind: string) {
    this.#engine = engine;
    this.#kind = kind;
  }

  killed({ place }: Pick<Victim, 'place'>): void {
    this.#kills++;
    this.#places[place]++;
  }

  count(what: Counted, by = 1): void {
    this.#counts[what] += by;
  }

  /** Note that what was left is sound, or what is wrong with it. */
  verify(problems: readonly unknown[]): void {
    if (problems.length === 0) this.count('verified');
    else this.problem(`round ${this.#kills}: ${JSON.stringify(problems)}`);
  }

  problem(text: string): void {
    this.#problems.push(`${this.#engine}, ${this.#kind}: ${text}`);
  }

  /** Compare what was acknowledged with what is there. */
  compare(acknowledged: ReadonlySet<string>, kept: readonly string[]): void {
    const found = new Set(kept);
    const lost = [...acknowledged].filter((id) => !found.has(id));
    this.count('acknowledged', acknowledged.size);
    this.count('written', found.size);
    this.count('lost', lost.length);
    this.count('doubled', kept.length - found.size);
    if (lost.length > 0) this.problem(`lost: ${lost.slice(0, 10).join(', ')}`);
    if (kept.length > found.size) this.problem('something is there twice');
  }

  get figures(): Figures {
    return {
      engine: this.#engine,
      kind: this.#kind,
      kills: this.#kills,
      ...this.#places,
      ...this.#counts,
      problems: this.#problems,
    };
  }
}
