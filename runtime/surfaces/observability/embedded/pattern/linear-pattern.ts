import { QueryRefusal } from '../refusal.ts';
import { type Node, parsePattern, type Range } from './pattern-syntax.ts';

/** What a state leads to: a character of a set, or other states without one. */
interface State {
  readonly ranges?: readonly Range[];
  readonly edge?: 'start' | 'end';
  readonly next: number[];
}

/** Sets of states that are known by now, with where each character of ASCII leads. */
interface Known {
  readonly states: readonly number[];
  readonly isEnd: boolean;
  readonly isEndAtEnd: boolean;
  readonly steps: (Known | undefined)[];
}

const mostStates = 4000;
const mostKnown = 500;
const longestPattern = 2000;
/** States that are gone through for one text, where what they lead to is not remembered. */
const mostVisited = 500_000;

/**
 * A regular expression of a caller. It takes time in proportion to the text, whatever it says: the
 * engine of the language would try some in exponential time. The states that can be reached together
 * are put together as they come up, and forgotten when there are too many.
 */
export class LinearPattern {
  readonly #states: State[] = [];
  readonly #accept: number;
  readonly #isWhole: boolean;
  #known = new Map<string, Known>();
  readonly #start: number;
  readonly #begin: Known;
  /** How many may still be gone through for this text. */
  #left = mostVisited;

  /**
   * @param isWhole whether all of a text has to match, and not a part of it
   * @throws QueryRefusal
   */
  constructor(text: string, isWhole: boolean) {
    if (text.length > longestPattern) {
      throw new QueryRefusal(`a regular expression has at most ${longestPattern} characters`);
    }
    this.#isWhole = isWhole;
    this.#accept = this.#add({ next: [] });
    const start = this.#build(parsePattern(text), this.#accept);
    this.#start = start;
    this.#begin = this.#reach([start], true);
  }

  /** @throws QueryRefusal where the text takes too much work */
  test(text: string): boolean {
    this.#left = mostVisited;
    let known = this.#begin;
    for (let at = 0; at < text.length; ) {
      if (known.isEnd && !this.#isWhole) return true;
      if (known.states.length === 0) return false;
      const code = text.codePointAt(at) ?? 0;
      at += code > 0xffff ? 2 : 1;
      known = (code < 128 ? known.steps[code] : undefined) ?? this.#step(known, code);
    }
    return known.isEndAtEnd;
  }

  #step(from: Known, code: number): Known {
    this.#left -= from.states.length + 1;
    if (this.#left < 0) throw new QueryRefusal('a regular expression takes too long for a line');
    const reached: number[] = [];
    for (const place of from.states) {
      const state = this.#states[place];
      if (state?.ranges?.some(([low, high]) => code >= low && code <= high)) {
        reached.push(...state.next);
      }
    }
    // A match may begin at any character.
    if (!this.#isWhole) reached.push(this.#start);
    const known = this.#reach(reached, false);
    if (code < 128) from.steps[code] = known;
    return known;
  }

  /** All states that can be reached from these without a character. */
  #reach(from: readonly number[], isStart: boolean): Known {
    const states = this.#closure(from, isStart, false);
    const key = `${isStart ? '^' : ''}${states.join(' ')}`;
    const former = this.#known.get(key);
    if (former !== undefined) return former;
    const atEnd = this.#closure(from, isStart, true);
    const known: Known = {
      states: states.filter(
        (place) =>
          this.#states[place]?.ranges !== undefined ||
          place === this.#accept ||
          this.#states[place]?.edge === 'end',
      ),
      isEnd: states.includes(this.#accept),
      isEndAtEnd: atEnd.includes(this.#accept),
      steps: [],
    };
    if (this.#known.size >= mostKnown) this.#known = new Map();
    this.#known.set(key, known);
    return known;
  }

  #closure(from: readonly number[], isStart: boolean, isEnd: boolean): readonly number[] {
    const found = new Set<number>();
    const waiting = [...from];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      const state = this.#states[place];
      if (state === undefined || found.has(place)) continue;
      found.add(place);
      if (state.ranges !== undefined) continue;
      if (state.edge === 'start' && !isStart) continue;
      if (state.edge === 'end' && !isEnd) continue;
      waiting.push(...state.next);
    }
    return [...found].sort((a, b) => a - b);
  }

  #add(state: State): number {
    if (this.#states.length >= mostStates) {
      throw new QueryRefusal(
        'the regular expression is too large once its repetitions are written out',
      );
    }
    return this.#states.push(state) - 1;
  }

  /** The state at which a part begins that goes on at `next`. */
  #build(node: Node, next: number): number {
    switch (node.type) {
      case 'empty':
        return next;
      case 'set':
        return this.#add({ ranges: node.ranges, next: [next] });
      case 'edge':
        return this.#add({ edge: node.edge, next: [next] });
      case 'join':
        return node.parts.reduceRight((after, part) => this.#build(part, after), next);
      case 'choice':
        return this.#add({ next: node.parts.map((part) => this.#build(part, next)) });
      case 'repeat':
        return this.#repeat(node, next);
    }
  }

  #repeat({ of, least, most }: Node & { readonly type: 'repeat' }, next: number): number {
    let after = next;
    if (most === undefined) {
      const loop: number[] = [next];
      after = this.#add({ next: loop });
      loop.push(this.#build(of, after));
    } else {
      for (let more = least; more < most; more += 1) {
        after = this.#add({ next: [next, this.#build(of, after)] });
      }
    }
    for (let count = 0; count < least; count += 1) after = this.#build(of, after);
    return after;
  }
}
