import type { Finding } from './finding.ts';

/** So many pairs of schemas of a provider are compared, so deep one within another. */
const mostPairs = 20_000;
const mostWithin = 200;

interface Kept {
  found: readonly Finding[];
  /** How deep the outermost pair lies that this one leads back to; itself and deeper do not count. */
  leadsBack: number;
}

/** What is known of pairs of schemas, so that each is compared once and what is recursive ends. */
export class KnownFindings {
  readonly #known = new Map<string, Kept>();
  readonly #unfinished: string[] = [];
  #leadsBack = Number.POSITIVE_INFINITY;
  #depth = 0;
  #count = 0;
  #isCut = false;

  /** Whether there was so much that some of it was not looked at. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** What is known of a pair, else what a comparison finds. */
  find(key: string, compare: () => readonly Finding[]): readonly Finding[] {
    const known = this.#known.get(key);
    if (known) {
      this.#leadsBack = Math.min(this.#leadsBack, known.leadsBack);
      return known.found;
    }
    if (this.#count >= mostPairs || this.#depth >= mostWithin) {
      this.#isCut = true;
      // What was cut short here may be whole where something else leads to it.
      this.#leadsBack = -1;
      return [];
    }
    return this.#compare(key, compare);
  }

  #compare(key: string, compare: () => readonly Finding[]): readonly Finding[] {
    const depth = this.#depth;
    const kept: Kept = { found: [], leadsBack: depth };
    this.#known.set(key, kept);
    this.#count += 1;
    const beside = this.#leadsBack;
    this.#leadsBack = Number.POSITIVE_INFINITY;
    this.#depth += 1;
    kept.found = compare();
    this.#depth -= 1;
    kept.leadsBack = this.#leadsBack < depth ? this.#leadsBack : Number.POSITIVE_INFINITY;
    if (kept.leadsBack < depth) this.#unfinished.push(key);
    this.#leadsBack = Math.min(beside, kept.leadsBack);
    if (depth === 0) this.#forgetUnfinished();
    return kept.found;
  }

  /**
   * What led back to a pair that was not done yet lacks what was found there: whoever begins
   * elsewhere has to be told of it too.
   */
  #forgetUnfinished(): void {
    for (const key of this.#unfinished.splice(0)) this.#known.delete(key);
    this.#leadsBack = Number.POSITIVE_INFINITY;
  }
}
