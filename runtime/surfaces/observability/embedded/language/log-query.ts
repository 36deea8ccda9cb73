import { LinearPattern } from '../pattern/linear-pattern.ts';
import { QueryRefusal } from '../refusal.ts';
import { type Matcher, matcher, readMatchers } from './matchers.ts';
import type { Words } from './scanner.ts';

/** Keeps the lines that hold a text, or not. */
export interface LineFilter {
  readonly type: 'line';
  readonly holds: (line: string) => boolean;
}

/** Makes labels of what stands in a line. */
export interface LineParser {
  readonly type: 'json' | 'logfmt';
}

/** A condition on labels. */
export interface LabelFilter {
  readonly type: 'label';
  readonly condition: LabelCondition;
}

export type LabelCondition =
  | { readonly type: 'text'; readonly matcher: Matcher }
  | {
      readonly type: 'number';
      readonly label: string;
      readonly sign: string;
      readonly value: number;
      readonly unit: 'number' | 'duration' | 'bytes';
    }
  | {
      readonly type: 'and' | 'or';
      readonly left: LabelCondition;
      readonly right: LabelCondition;
    };

/** Lines of logs: their streams, and what is done with them one after the other (LogQL). */
export interface LogQuery {
  readonly matchers: readonly Matcher[];
  readonly stages: readonly (LineFilter | LineParser | LabelFilter)[];
}

/** Stages of a query. */
const mostStages = 200;

const lineSigns = ['|=', '!=', '|~', '!~'] as const;
const numberSigns = ['==', '!=', '>=', '<=', '>', '<', '='] as const;

/** Read the selector of a log query, and the stages behind it. */
export function readLogQuery(words: Words): LogQuery {
  const at = words.peek().at;
  const matchers = readMatchers(words);
  if (matchers.every(({ holds }) => holds(''))) {
    throw new QueryRefusal('{ } needs a condition that not every stream meets', at);
  }
  const stages: (LineFilter | LineParser | LabelFilter)[] = [];
  for (;;) {
    if (stages.length > mostStages) {
      throw words.wrong(`a query has at most ${mostStages} stages`);
    }
    const sign = lineSigns.find((each) => words.is(each));
    if (sign !== undefined) {
      words.take();
      stages.push(lineFilter(sign, words.kind('string', 'a text in quotes').text));
      if (words.is('or')) throw words.wrong('several texts of one line filter are not supported');
      continue;
    }
    if (words.is('|>') || words.is('!>')) throw words.wrong('patterns of lines are not supported');
    if (!words.skip('|')) return { matchers, stages };
    stages.push(readStage(words));
  }
}

function lineFilter(sign: (typeof lineSigns)[number], text: string): LineFilter {
  if (sign === '|=') return { type: 'line', holds: (line) => line.includes(text) };
  if (sign === '!=') return { type: 'line', holds: (line) => !line.includes(text) };
  const pattern = new LinearPattern(text, false);
  if (sign === '|~') return { type: 'line', holds: (line) => pattern.test(line) };
  return { type: 'line', holds: (line) => !pattern.test(line) };
}

const unsupported = new Set([
  ...['unwrap', 'unpack', 'pattern', 'regexp', 'line_format', 'label_format', 'decolorize'],
  ...['drop', 'keep', 'distinct'],
]);

function readStage(words: Words): LineParser | LabelFilter {
  const { kind, text } = words.peek();
  const isCondition =
    words.peek(1).kind === 'sign' && numberSigns.some((each) => words.is(each, 1));
  if (kind === 'name' && !isCondition && !words.is('=~', 1) && !words.is('!~', 1)) {
    if (text === 'json' || text === 'logfmt') {
      words.take();
      if (words.peek().kind === 'name' || words.is('--') || words.is('-')) {
        throw words.wrong(`${text} is supported without parameters alone`);
      }
      return { type: text };
    }
    if (unsupported.has(text)) throw words.wrong(`the stage ${text} is not supported`);
  }
  return { type: 'label', condition: readCondition(words) };
}

function readCondition(words: Words): LabelCondition {
  let left = readAnd(words);
  while (words.skip('or')) left = { type: 'or', left, right: readAnd(words) };
  return left;
}

function readAnd(words: Words): LabelCondition {
  let left = readOne(words);
  while (words.is('and') || words.is(',')) {
    words.take();
    left = { type: 'and', left, right: readOne(words) };
  }
  return left;
}

function readOne(words: Words): LabelCondition {
  if (words.skip('(')) {
    const inner = words.deeper(() => readCondition(words));
    words.expect(')');
    return inner;
  }
  const label = words.kind('name', 'the name of a label').text;
  const pattern = (['=~', '!~'] as const).find((each) => words.is(each));
  if (pattern !== undefined) {
    words.take();
    const text = words.kind('string', 'a regular expression in quotes').text;
    return { type: 'text', matcher: matcher(label, pattern, text) };
  }
  const sign = numberSigns.find((each) => words.is(each));
  if (sign === undefined) throw words.wrong('a condition on a label is expected');
  words.take();
  const { kind, text, value } = words.peek();
  if (kind === 'string' && (sign === '=' || sign === '!=' || sign === '==')) {
    words.take();
    return { type: 'text', matcher: matcher(label, sign === '!=' ? '!=' : '=', text) };
  }
  if (kind !== 'number' && kind !== 'duration' && kind !== 'bytes') {
    throw words.wrong('a number, a duration or a text in quotes is expected');
  }
  words.take();
  return { type: 'number', label, sign: sign === '=' ? '==' : sign, value, unit: kind };
}
