import type { Question } from '../question.ts';
import type { Content, ReadAnswer } from './rows.ts';

/** What a back end gave besides that which it was asked for. */
export interface Sifted {
  readonly read: ReadAnswer;
  /** Rows that were left out. */
  readonly strays: number;
}

/** A back end that rounds the times it is asked for is none that heeds them not. */
const roundedNs = 1_000_000_000n;
/** Where a log store chooses the steps of a range itself, the first one may begin before it. */
const stepSeconds = 300;

/**
 * Leave out what lies in another time than was asked for, and spans of other traces: a back end that
 * heeds neither would have its rows taken for what they are not, and its pages would never end.
 */
export function withinRange(read: ReadAnswer, question: Question): Sifted {
  const { content, strays, outside } = sift(read.content, question);
  if (strays === 0) return { read, strays };
  if (outside === 0) return { read: { ...read, content }, strays };
  const what =
    question.traceId === undefined
      ? `${outside} rows of another time than was asked for are left out`
      : `${outside} spans of other traces are left out`;
  return {
    read: { ...read, content, warnings: [...read.warnings, what], isPartial: true },
    strays,
  };
}

interface Kept {
  readonly content: Content;
  readonly strays: number;
  /** Those among them that no rounding of times explains. */
  readonly outside: number;
}

function sift(content: Content, question: Question): Kept {
  const { range, traceId } = question;
  switch (content.holds) {
    case 'logs': {
      const distance = distanceFrom(range);
      const { kept, ...counts } = split(content.rows, ({ timestamp }) =>
        distance(timestamp, timestamp),
      );
      return { content: { ...content, rows: kept }, ...counts };
    }
    case 'traces': {
      const distance = distanceFrom(range);
      const { kept, ...counts } = split(content.traces, ({ start, durationNs }) =>
        distance(start, start + durationNs),
      );
      return { content: { ...content, traces: kept }, ...counts };
    }
    case 'spans': {
      if (traceId === undefined) return siftSpans(content.spans, range);
      const { kept, ...counts } = split(content.spans, (span) =>
        span.traceId === traceId ? 0n : farAway,
      );
      return { content: { ...content, spans: kept }, ...counts };
    }
    case 'series':
      // One time is no range.
      if (range.start === range.end) return { content, strays: 0, outside: 0 };
      return siftSeries(content.series, question);
    case 'profile':
      return { content, strays: 0, outside: 0 };
  }
}

const farAway = roundedNs * 2n;

/** How far a time lies outside of a range: a trace is in it that was under way in it. */
function distanceFrom({ start, end }: Question['range']) {
  return (from: bigint, to: bigint): bigint => {
    if (to < start) return start - to;
    return from < end ? 0n : from - end + 1n;
  };
}

function split<Row>(rows: readonly Row[], distanceOf: (row: Row) => bigint) {
  let strays = 0;
  let outside = 0;
  const kept = rows.filter((row) => {
    const distance = distanceOf(row);
    if (distance === 0n) return true;
    strays += 1;
    if (distance > roundedNs) outside += 1;
    return false;
  });
  return { kept: strays === 0 ? rows : kept, strays, outside };
}

/** A trace is given with all of its spans that came, or not at all. */
function siftSpans(
  spans: Extract<Content, { readonly holds: 'spans' }>['spans'],
  range: Question['range'],
): Kept {
  const times = new Map<string, { from: bigint; to: bigint }>();
  for (const { traceId, start, durationNs } of spans) {
    const known = times.get(traceId);
    const to = start + durationNs;
    if (known === undefined) times.set(traceId, { from: start, to });
    else {
      if (start < known.from) known.from = start;
      if (to > known.to) known.to = to;
    }
  }
  const distance = distanceFrom(range);
  const { kept, ...counts } = split([...times], ([, { from, to }]) => distance(from, to));
  if (counts.strays === 0) return { content: { holds: 'spans', spans }, ...counts };
  const ids = new Set(kept.map(([id]) => id));
  const own = spans.filter(({ traceId }) => ids.has(traceId));
  return { content: { holds: 'spans', spans: own }, ...counts };
}

function siftSeries(
  series: Extract<Content, { readonly holds: 'series' }>['series'],
  { range, stepSeconds: step = stepSeconds }: Question,
): Kept {
  const from = Number(range.start / 1_000_000n) / 1000 - step;
  const to = Number(range.end / 1_000_000n) / 1000 + step;
  const isWithin = ([time]: readonly [number, string]) => time >= from && time <= to;
  let strays = 0;
  const kept = series.flatMap((each) => {
    const values = each.values.filter(isWithin);
    strays += each.values.length - values.length;
    if (values.length === each.values.length) return [each];
    return values.length === 0 ? [] : [{ ...each, values }];
  });
  return { content: { holds: 'series', series: kept }, strays, outside: strays };
}
