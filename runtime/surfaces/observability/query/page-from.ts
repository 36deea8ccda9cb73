import type { ReadQuery } from './read-input.ts';
import type { Position } from './write/cursor.ts';

/** The query for a page of so many rows that follows a position; without one, for the first page. */
export function pageFrom(
  query: ReadQuery,
  position: Position | undefined,
  pageRows: number,
): ReadQuery {
  const { question } = query;
  const { direction, range } = question;
  const time = position?.time;
  const left =
    direction === 'forward'
      ? { start: time ?? range.start, end: range.end }
      : { start: range.start, end: time === undefined ? range.end : time + 1n };
  const limit = pageRows + (position?.given.length ?? 0) + (position?.near?.length ?? 0);
  return {
    ...query,
    position,
    pageRows,
    format: 'json',
    question: { ...question, range: left, limit },
  };
}
