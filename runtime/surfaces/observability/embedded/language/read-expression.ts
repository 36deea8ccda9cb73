import { QueryRefusal } from '../refusal.ts';
import { type Aggregation, type Expression, isScalar } from './expression.ts';
import type { Token, Words } from './scanner.ts';

/** Reads what is no operator, bracket or number: selectors and functions differ by language. */
export type ReadLeaf = (words: Words, read: () => Expression) => Expression;

/** From the weakest to the strongest (Prometheus, binary operator precedence). */
const levels: readonly (readonly string[])[] = [
  ['or'],
  ['and', 'unless'],
  ['==', '!=', '<=', '<', '>=', '>'],
  ['+', '-'],
  ['*', '/', '%'],
];
export const comparisons: ReadonlySet<string> = new Set(levels[2]);
export const setSigns: ReadonlySet<string> = new Set(['or', 'and', 'unless']);

const aggregations = new Set([
  ...[
    'sum',
    'min',
    'max',
    'avg',
    'count',
    'group',
    'stddev',
    'stdvar',
    'topk',
    'bottomk',
    'quantile',
  ],
]);
const withParameter = new Set(['topk', 'bottomk', 'quantile']);

/**
 * Read an expression to its end.
 *
 * @throws QueryRefusal for what is wrong, and for what is not supported
 */
export function readExpression(words: Words, readLeaf: ReadLeaf): Expression {
  const expression = new ExpressionReader(words, readLeaf).read();
  if (words.peek().kind !== 'end') throw words.wrong('an operator or the end is expected');
  return expression;
}

class ExpressionReader {
  readonly #words: Words;
  readonly #readLeaf: ReadLeaf;

  constructor(words: Words, readLeaf: ReadLeaf) {
    this.#words = words;
    this.#readLeaf = readLeaf;
  }

  read(level = 0): Expression {
    return this.#words.deeper(() => this.#binary(level));
  }

  #binary(level: number): Expression {
    const signs = levels[level];
    if (signs === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const token = this.#words.peek();
      const sign = signs.find((each) => this.#words.is(each));
      if (sign === undefined) return left;
      this.#words.take();
      left = this.#joined(sign, token, left, level);
    }
  }

  #joined(sign: string, token: Token, left: Expression, level: number): Expression {
    const words = this.#words;
    const isBool = words.skip('bool');
    if (isBool && !comparisons.has(sign)) {
      throw new QueryRefusal(`bool goes with comparisons, not with ${sign}`, token.at);
    }
    const matching = this.#matching();
    const right = level < 0 ? this.#unary() : this.#binary(level + 1);
    if (isScalar(left) && isScalar(right) && comparisons.has(sign) && !isBool) {
      throw new QueryRefusal(`two numbers are compared with ${sign} bool`, token.at);
    }
    if (setSigns.has(sign) && (isScalar(left) || isScalar(right))) {
      throw new QueryRefusal(`${sign} goes between series, not with a number`, token.at);
    }
    return { type: 'binary', sign, isBool, left, right, ...(matching && { matching }) };
  }

  #matching() {
    const words = this.#words;
    const isOn = words.is('on');
    if (!isOn && !words.is('ignoring')) return undefined;
    words.take();
    const labels = this.#labels();
    if (words.is('group_left') || words.is('group_right')) {
      throw words.wrong('one series against several (group_left, group_right) is not supported');
    }
    return { isOn, labels };
  }

  #unary(): Expression {
    const words = this.#words;
    if (words.skip('-')) return { type: 'negate', of: words.deeper(() => this.#unary()) };
    if (words.skip('+')) return words.deeper(() => this.#unary());
    const base = this.#primary();
    const token = words.peek();
    // Of powers, the last one is computed first.
    if (!words.skip('^')) return base;
    return words.deeper(() => this.#joined('^', token, base, -1));
  }

  #primary(): Expression {
    const words = this.#words;
    const { kind, text, value } = words.peek();
    if (kind === 'number') {
      words.take();
      return { type: 'number', value };
    }
    if (words.skip('(')) {
      const inner = this.read();
      words.expect(')');
      return this.#unindexed(inner);
    }
    const isCall = words.is('(', 1) || words.is('by', 1) || words.is('without', 1);
    if (kind === 'name' && aggregations.has(text) && isCall) return this.#aggregation();
    if (kind === 'name' && text === 'count_values' && isCall) {
      throw words.wrong('count_values is not supported');
    }
    return this.#unindexed(this.#readLeaf(words, () => this.read()));
  }

  #unindexed(expression: Expression): Expression {
    if (this.#words.is('[')) throw this.#words.wrong('a subquery is not supported');
    if (this.#words.is('@')) throw this.#words.wrong('@ is not supported');
    return expression;
  }

  #aggregation(): Aggregation {
    const words = this.#words;
    const { text: name } = words.take();
    const before = this.#grouping();
    words.expect('(');
    const first = this.read();
    const second = words.skip(',') ? this.read() : undefined;
    words.expect(')');
    const { labels, isWithout } = before ?? this.#grouping() ?? { labels: [], isWithout: false };
    if (withParameter.has(name) !== (second !== undefined)) {
      throw words.wrong(
        `${name} takes ${second === undefined ? 'a number and series' : 'series alone'}`,
      );
    }
    if (second !== undefined && !isScalar(first)) {
      throw words.wrong(`${name} takes a number before its series`);
    }
    const of = second ?? first;
    return {
      type: 'aggregation',
      name,
      labels,
      isWithout,
      of,
      ...(second && { parameter: first }),
    };
  }

  #grouping() {
    const words = this.#words;
    const isWithout = words.is('without');
    if (!isWithout && !words.is('by')) return undefined;
    words.take();
    return { labels: this.#labels(), isWithout };
  }

  #labels(): readonly string[] {
    const words = this.#words;
    words.expect('(');
    const found: string[] = [];
    while (!words.is(')')) {
      found.push(words.kind('name', 'the name of a label').text);
      if (!words.skip(',')) break;
    }
    words.expect(')');
    return found;
  }
}
