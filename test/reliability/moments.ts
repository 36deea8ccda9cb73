import type { Random } from './random.ts';

/** When to kill: so long after the begin of the `section`-th section from now, or after the start. */
export interface Moment {
  /** 0 is the start of the process. */
  readonly section: number;
  readonly delayMs: number;
}

/** Where a kill fell: before the first section, within one, or after one. */
export type Place = 'before' | 'within' | 'after';

/** The newest lengths count: a machine is not always equally fast. */
const remembered = 15;

/**
 * Chooses the moments at random: most of them within a critical section, whose length it learns from
 * those that ended, the others while the process starts and after a section.
 */
export class Moments {
  readonly random: Random;
  /** How many sections a process goes through: it is killed in one of them. */
  readonly #sections: number;
  #starts: readonly number[] = [];
  #lengths: readonly number[] = [];

  constructor(random: Random, sections: number) {
    this.random = random;
    this.#sections = sections;
  }

  /** A moment for a process that starts now. */
  fromStart(): Moment {
    if (this.random() > 0.15) return this.running();
    return { section: 0, delayMs: this.random() * median(this.#starts, 200) };
  }

  /** A moment for a process that runs already. */
  running(): Moment {
    const length = median(this.#lengths, 60);
    const share = this.random() < 0.8 ? this.random() : 1 + this.random();
    return { section: 1 + Math.floor(this.random() * this.#sections), delayMs: share * length };
  }

  learnStart(ms: number): void {
    this.#starts = [...this.#starts, ms].slice(-remembered);
  }

  learnLength(ms: number): void {
    this.#lengths = [...this.#lengths, ms].slice(-remembered);
  }
}

function median(values: readonly number[], unknown: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? unknown;
}
