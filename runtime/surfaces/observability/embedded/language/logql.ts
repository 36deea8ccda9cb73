import type { Expression, LogRange } from './expression.ts';
import { type LogQuery, readLogQuery } from './log-query.ts';
import { readOffset, readRange } from './promql.ts';
import { readExpression } from './read-expression.ts';
import { scan, Words } from './scanner.ts';

/** A query of LogQL gives lines, or numbers that it makes of them. */
export type Logql =
  | { readonly gives: 'lines'; readonly query: LogQuery }
  | { readonly gives: 'series'; readonly expression: Expression };

const rangeFunctions = ['count_over_time', 'rate', 'bytes_over_time', 'bytes_rate'] as const;

/**
 * Read a query of LogQL, as far as it is supported here.
 *
 * @throws QueryRefusal
 */
export function readLogql(text: string): Logql {
  const words = new Words(scan(text));
  if (!words.is('{')) return { gives: 'series', expression: readExpression(words, readLeaf) };
  const query = readLogQuery(words);
  if (words.peek().kind !== 'end') throw words.wrong('a stage of the pipeline is expected');
  return { gives: 'lines', query };
}

function readLeaf(words: Words): LogRange {
  const { kind, text } = words.peek();
  const name = rangeFunctions.find((each) => each === text);
  if (name === undefined) {
    if (kind === 'name') throw words.wrong(`the function ${text} is not supported`);
    throw words.wrong('a function such as count_over_time is expected');
  }
  words.take();
  words.expect('(');
  const query = readLogQuery(words);
  const rangeMs = readRange(words);
  if (rangeMs === undefined) throw words.wrong('a time such as [5m] is expected');
  const offsetMs = readOffset(words);
  words.expect(')');
  return { type: 'logs', function: name, query, rangeMs, offsetMs };
}
