import { lookArounds } from './pattern/look-arounds.ts';
import { type Characters, type PatternNode, readPattern } from './pattern-tree.ts';

/** Where in a text a part of a pattern can begin and end, by positions (Glushkov's automaton). */
interface Part {
  readonly isEmpty: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

/** More of them are a matter of luck; an address of IPv6 written out has 250, and 30 loops. */
const mostPositions = 300;
const mostLoops = 60;
/** A longer run of one kind of character counts as one without an end. */
const longestRun = 120;
/** So many of a run are looked at where all are too many: the same text passes a run in one way alone. */
const fewPositions = 1;

/** Pairs of places that are looked at: what takes more of them is not trusted. */
const mostSteps = 500_000;

class Unsure extends Error {}
class TooLong extends Error {}
class TwoWays extends Error {}

/**
 * Whether some text can be matched in exponentially many ways: two ways over the same characters
 * lead back to the same place of the pattern's automaton. What looks around is tried at a place and
 * leaves no way back into it (ECMA-262, 22.2.2.3): where neither it nor what stands around it can be
 * matched in two ways, the whole cannot.
 *
 * @returns nothing where the pattern is too large or too odd to tell; true where it would take too long
 */
export function isAmbiguous(pattern: string, flags: '' | 'u' = ''): boolean | undefined {
  const { outer, inner } = lookArounds(pattern);
  const verdicts = [
    isPlainAmbiguous(outer, flags),
    ...inner.map((each) => isAmbiguous(each, flags)),
  ];
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

function isPlainAmbiguous(pattern: string, flags: '' | 'u'): boolean | undefined {
  const tree = readPattern(pattern, flags);
  if (!tree) return undefined;
  return isTreeAmbiguous(tree, longestRun) ?? isTreeAmbiguous(tree, fewPositions);
}

function isTreeAmbiguous(tree: PatternNode, mostInRun: number): boolean | undefined {
  try {
    const automaton = new Automaton(mostInRun);
    automaton.add(tree);
    return automaton.hasTwoWays();
  } catch (error) {
    if (error instanceof TwoWays) return true;
    if (error instanceof Unsure) return undefined;
    // Where runs are counted as one place each, there is nothing smaller to look at.
    if (error instanceof TooLong) return mostInRun === fewPositions ? true : undefined;
    throw error;
  }
}

class Automaton {
  readonly #mostInRun: number;
  readonly #sets: Characters[] = [];
  readonly #follow: Set<number>[] = [];
  #loops = 0;
  #steps = 0;

  /** @param mostInRun a run of more characters of one kind (`[a-z]{0,61}`) counts as one without an end */
  constructor(mostInRun: number) {
    this.#mostInRun = mostInRun;
  }

  add(node: PatternNode): Part {
    switch (node.kind) {
      case 'characters': {
        if (this.#sets.push(node.set) > mostPositions) throw new Unsure();
        this.#follow.push(new Set());
        const at = [this.#sets.length - 1];
        return { isEmpty: false, first: at, last: at };
      }
      case 'sequence':
        return node.of.reduce<Part>((before, each) => this.#join(before, this.add(each)), empty);
      case 'choice': {
        const parts = node.of.map((each) => this.add(each));
        return {
          isEmpty: parts.some(({ isEmpty }) => isEmpty),
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
        };
      }
      case 'repeat':
        return this.#repeat(node);
    }
  }

  #repeat({ of, least, most }: Extract<PatternNode, { kind: 'repeat' }>): Part {
    if (most <= 1) return most === 0 ? empty : optional(this.add(of), least);
    // Nobody knows in how many ways nothing can be repeated.
    if (matchesNothing(of)) throw new Unsure();
    const isCounted = least === most || (most < Infinity && isFixed(of));
    const mostPlaces = of.kind === 'characters' ? this.#mostInRun : longestRun;
    if (!isCounted || most * sizeOf(of) > mostPlaces) {
      if (++this.#loops > mostLoops) throw new Unsure();
      const part = this.add(of);
      this.#connect(part.last, part.first);
      return optional(part, least);
    }
    if (hasTwoWaysAround(of)) throw new TwoWays();
    let ending = empty;
    for (let count = most; count > least; count--) {
      ending = optional(this.#join(this.add(of), ending), 0);
    }
    let part = empty;
    for (let count = 0; count < least; count++) part = this.#join(part, this.add(of));
    return this.#join(part, ending);
  }

  #join(one: Part, other: Part): Part {
    this.#connect(one.last, other.first);
    return {
      isEmpty: one.isEmpty && other.isEmpty,
      first: one.isEmpty ? [...one.first, ...other.first] : one.first,
      last: other.isEmpty ? [...one.last, ...other.last] : other.last,
    };
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const position of from) {
      for (const next of to) {
        // A loop in a loop: one step can be taken for either.
        if (this.#follow[position]?.has(next)) throw new TwoWays();
        this.#follow[position]?.add(next);
      }
    }
  }

  hasTwoWays(): boolean {
    const count = this.#sets.length;
    const [ahead, back] = this.#pairs();
    const follow = this.#follow.map((next) => [...next]);
    return this.#sets.some((_, position) => {
      // What does not come back is passed once.
      if (!this.#reached(follow, position).includes(position)) return false;
      const start = position * count + position;
      const returning = new Set(this.#reached(back, start));
      return this.#reached(ahead, start).some(
        (pair) => Math.floor(pair / count) !== pair % count && returning.has(pair),
      );
    });
  }

  #step(): void {
    if (++this.#steps > mostSteps) throw new TooLong();
  }

  #reached(edges: readonly number[][], start: number): number[] {
    const seen = new Set<number>();
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const next of edges[at] ?? []) {
        this.#step();
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
    }
    return [...seen];
  }

  /** Which two places follow two others over the same character, and the same backwards. */
  #pairs(): readonly [readonly number[][], readonly number[][]] {
    const count = this.#sets.length;
    const ahead: number[][] = Array.from({ length: count * count }, () => []);
    const back: number[][] = Array.from({ length: count * count }, () => []);
    for (const [one, nexts] of this.#follow.entries()) {
      for (const [other, others] of this.#follow.entries()) {
        for (const next of nexts) {
          for (const second of others) {
            this.#step();
            if (!overlap(this.#sets[next] ?? [], this.#sets[second] ?? [])) continue;
            ahead[one * count + other]?.push(next * count + second);
            back[next * count + second]?.push(one * count + other);
          }
        }
      }
    }
    return [ahead, back];
  }
}

/** The same for a part that is repeated: what is counted up to twenty takes as long as what is not. */
function hasTwoWaysAround(of: PatternNode): boolean {
  if (of.kind === 'characters') return false;
  const automaton = new Automaton(mostPositions);
  automaton.add({ kind: 'repeat', of, least: 1, most: Infinity });
  return automaton.hasTwoWays();
}

const empty: Part = { isEmpty: true, first: [], last: [] };

function optional(part: Part, least: number): Part {
  return least === 0 ? { ...part, isEmpty: true } : part;
}

function overlap(one: Characters, other: Characters): boolean {
  return one.some(([from, to]) => other.some(([start, end]) => from <= end && start <= to));
}

function matchesNothing(node: PatternNode): boolean {
  switch (node.kind) {
    case 'characters':
      return false;
    case 'sequence':
      return node.of.every(matchesNothing);
    case 'choice':
      return node.of.some(matchesNothing);
    case 'repeat':
      return node.least === 0 || matchesNothing(node.of);
  }
}

/** Whether nothing in it is repeated a number of times that is left open. */
function isFixed(node: PatternNode): boolean {
  if (node.kind === 'characters') return true;
  if (node.kind !== 'repeat') return node.of.every(isFixed);
  return (node.least === node.most || node.most <= 1) && isFixed(node.of);
}

function sizeOf(node: PatternNode): number {
  if (node.kind === 'characters') return 1;
  if (node.kind !== 'repeat') return node.of.reduce((sum, each) => sum + sizeOf(each), 0);
  return sizeOf(node.of) * (node.most === Infinity ? 1 : Math.max(1, node.most));
}
