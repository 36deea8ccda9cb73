import { functions } from '../evaluate/functions.ts';
import type { Expression, RangeSelector, Selector } from './expression.ts';
import { isScalar } from './expression.ts';
import { type Matcher, matcher, readMatchers } from './matchers.ts';
import { readExpression } from './read-expression.ts';
import { scan, Words } from './scanner.ts';

/**
 * Read a query of PromQL, as far as it is supported here.
 *
 * @throws QueryRefusal
 */
export function readPromql(text: string): Expression {
  const words = new Words(scan(text));
  const expression = readExpression(words, readLeaf);
  if (expression.type === 'range') {
    throw words.wrong('samples of a time in [ ] are for a function such as rate');
  }
  return expression;
}

function readLeaf(words: Words, read: () => Expression): Expression {
  const { kind, text } = words.peek();
  if (kind === 'name' && words.is('(', 1)) return readCall(words, read);
  if (kind !== 'name' && !words.is('{')) throw words.wrong('a metric or a function is expected');
  const named: Matcher[] = kind === 'name' ? [matcher('__name__', '=', words.take().text)] : [];
  const matchers = [...named, ...(words.is('{') ? readMatchers(words) : [])];
  if (matchers.every(({ holds }) => holds(''))) {
    throw words.wrong(`${text || 'a selector'} needs a condition that not every series meets`);
  }
  const rangeMs = readRange(words);
  const of: Selector = { type: 'selector', matchers, offsetMs: readOffset(words) };
  return rangeMs === undefined ? of : { type: 'range', of, rangeMs };
}

/** A time in square brackets; whoever wants a subquery is told that there are none. */
export function readRange(words: Words): number | undefined {
  if (!words.skip('[')) return undefined;
  const { value } = words.kind('duration', 'a duration such as 5m');
  if (words.peek().text.startsWith(':')) throw words.wrong('a subquery is not supported');
  words.expect(']');
  return value;
}

export function readOffset(words: Words): number {
  if (!words.skip('offset')) return 0;
  const isNegative = words.skip('-');
  const { value } = words.kind('duration', 'a duration such as 5m');
  return isNegative ? -value : value;
}

function readCall(words: Words, read: () => Expression): Expression {
  const { text: name } = words.peek();
  const rule = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (rule === undefined) throw words.wrong(`the function ${name} is not supported`);
  words.take();
  words.expect('(');
  const args: Expression[] = [];
  while (!words.is(')')) {
    args.push(read());
    if (!words.skip(',')) break;
  }
  words.expect(')');
  const { takes, least = takes.length } = rule;
  if (args.length < least || args.length > takes.length) {
    throw words.wrong(`${name} takes ${takes.join(', ')}`);
  }
  for (const [place, arg] of args.entries()) {
    if (kindOf(arg) !== takes[place]) throw words.wrong(`${name} takes ${takes.join(', ')}`);
  }
  return { type: 'call', name, args };
}

function kindOf(arg: Expression): 'number' | 'samples' | 'series' {
  if (isScalar(arg)) return 'number';
  return isRange(arg) ? 'samples' : 'series';
}

export function isRange(expression: Expression): expression is RangeSelector {
  return expression.type === 'range';
}
