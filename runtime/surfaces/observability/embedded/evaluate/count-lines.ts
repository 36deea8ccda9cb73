import type { KeptLine } from '../keep/kept.ts';
import type { LogRange } from '../language/expression.ts';
import { QueryRefusal } from '../refusal.ts';
import { costOf, runLogQuery } from './log-lines.ts';
import type { Pace } from './pace.ts';
import { type CountedLines, keyOf } from './samples.ts';

const mostStreams = 2000;

/** The lines of each stream that a query counts, in the order of their times. */
export function* countLines(
  { query }: LogRange,
  lines: readonly KeptLine[],
  pace: Pace,
): Generator<void, readonly CountedLines[]> {
  const streams = new Map<
    string,
    { labels: Readonly<Record<string, string>>; times: number[]; bytes: number[] }
  >();
  for (const line of lines) {
    if (pace.isDue) yield;
    pace.spend(costOf(query, line));
    const found = runLogQuery(query, line);
    if (found === undefined) continue;
    if (found.labels['__error__'] !== undefined) {
      throw new QueryRefusal(
        `a line could not be read (${found.labels['__error__']}): leave such lines out with | __error__=""`,
      );
    }
    // The ids of one line would make each line a stream of its own.
    const { trace_id: _, span_id: __, ...labels } = found.labels;
    const key = keyOf(labels);
    const stream = streams.get(key) ?? { labels, times: [], bytes: [] };
    if (streams.size >= mostStreams)
      throw new QueryRefusal(`the query makes more than ${mostStreams} series`);
    streams.set(key, stream);
    stream.times.push(Number(line.time / 1_000_000n));
    stream.bytes.push((stream.bytes.at(-1) ?? 0) + Buffer.byteLength(line.body));
  }
  return [...streams.values()];
}
