import { LinearPattern } from '../pattern/linear-pattern.ts';
import { scan, type Token, Words } from './scanner.ts';

/** What a condition looks at: a property of the span, or an attribute. */
export type SpanField =
  | { readonly of: 'span'; readonly name: 'name' | 'status' | 'kind' | 'duration' }
  | { readonly of: 'attribute'; readonly name: string }
  | { readonly of: 'resource'; readonly name: string };

export type SpanCondition =
  | { readonly type: 'all' }
  | {
      readonly type: 'field';
      readonly field: SpanField;
      readonly holds: (value: string | number | undefined) => boolean;
    }
  | {
      readonly type: 'and' | 'or';
      readonly left: SpanCondition;
      readonly right: SpanCondition;
    };

const ownFields = ['name', 'status', 'kind', 'duration'] as const;
const signs = ['=~', '!~', '!=', '>=', '<=', '=', '>', '<'] as const;

/**
 * Read a query of TraceQL: the conditions in one pair of braces, of which one span of a trace has to
 * meet all.
 *
 * @throws QueryRefusal
 */
export function readTraceql(text: string): SpanCondition {
  const words = new Words(scan(text, 'dotted'));
  words.expect('{');
  const condition: SpanCondition = words.is('}') ? { type: 'all' } : readOr(words);
  words.expect('}');
  if (words.peek().kind !== 'end') {
    throw words.wrong('of several spans, their order and pipelines, nothing is supported');
  }
  return condition;
}

function readOr(words: Words): SpanCondition {
  let left = readAnd(words);
  while (words.skip('||')) left = { type: 'or', left, right: readAnd(words) };
  return left;
}

function readAnd(words: Words): SpanCondition {
  let left = readOne(words);
  while (words.skip('&&')) left = { type: 'and', left, right: readOne(words) };
  return left;
}

function readOne(words: Words): SpanCondition {
  if (words.skip('(')) {
    const inner = words.deeper(() => readOr(words));
    words.expect(')');
    return inner;
  }
  if (words.skip('true')) return { type: 'all' };
  const field = fieldOf(words);
  const sign = signs.find((each) => words.is(each));
  if (sign === undefined) throw words.wrong('one of = != =~ !~ > >= < <= is expected');
  words.take();
  const given = words.take();
  if (!['string', 'number', 'duration', 'name'].includes(given.kind)) {
    throw words.wrong('a value is expected');
  }
  return { type: 'field', field, holds: holdsFor(sign, given, words) };
}

function fieldOf(words: Words): SpanField {
  const { text } = words.kind(
    'name',
    'a property such as name, or an attribute such as .http.route',
  );
  const own = ownFields.find((each) => each === text);
  if (own !== undefined) return { of: 'span', name: own };
  if (text.startsWith('resource.')) return { of: 'resource', name: text.slice(9) };
  if (text.startsWith('span.')) return { of: 'attribute', name: text.slice(5) };
  if (text.startsWith('.')) return { of: 'attribute', name: text.slice(1) };
  throw words.wrong(`${text} is not supported`);
}

function holdsFor(
  sign: (typeof signs)[number],
  { kind, text, value }: Token,
  words: Words,
): (found: string | number | undefined) => boolean {
  if (sign === '=~' || sign === '!~') {
    if (kind !== 'string') throw words.wrong(`${sign} takes a regular expression in quotes`);
    const pattern = new LinearPattern(text, true);
    if (sign === '=~') return (found) => found !== undefined && pattern.test(String(found));
    return (found) => found !== undefined && !pattern.test(String(found));
  }
  const isNumber = kind === 'number' || kind === 'duration';
  if (sign === '=' || sign === '!=') {
    const isSame = (found: string | number) =>
      isNumber ? Number(found) === value : String(found) === text;
    if (sign === '=') return (found) => found !== undefined && isSame(found);
    return (found) => found !== undefined && !isSame(found);
  }
  if (!isNumber) throw words.wrong(`${sign} takes a number or a duration`);
  return (found) => found !== undefined && compare(sign, Number(found), value);
}

function compare(sign: '>=' | '<=' | '>' | '<', left: number, right: number): boolean {
  if (sign === '>=') return left >= right;
  if (sign === '<=') return left <= right;
  return sign === '>' ? left > right : left < right;
}
