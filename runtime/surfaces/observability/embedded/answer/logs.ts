import { countLines } from '../evaluate/count-lines.ts';
import { costOf, type FoundLine, runLogQuery } from '../evaluate/log-lines.ts';
import { overRange } from '../evaluate/over-range.ts';
import { Pace } from '../evaluate/pace.ts';
import type { KeptLine } from '../keep/kept.ts';
import { readLogql } from '../language/logql.ts';
import type { Asked } from './asked.ts';

/** Lines, or numbers made of them (Loki, query_range). */
export async function answerLogs({ keep, tenant, parameters, signal }: Asked): Promise<object> {
  const query = readLogql(parameters.get('query') ?? '');
  const start = BigInt(parameters.get('start') ?? 0);
  const end = BigInt(parameters.get('end') ?? 0);
  const lines = keep.lines(tenant);
  const pace = new Pace(signal);
  if (query.gives === 'series') {
    const [startMs, endMs] = [Number(start / 1_000_000n), Number(end / 1_000_000n)];
    const stepMs = stepOf(parameters, endMs - startMs);
    const sorted = lines.toSorted(byTime);
    const sources = {
      series: () => [],
      lines: (range: Parameters<typeof countLines>[0]) => countLines(range, sorted, pace),
    };
    // What came last counts in the last step.
    const steps = { startMs: startMs + ((endMs - startMs) % stepMs), endMs, stepMs };
    const result = await overRange(query.expression, sources, steps, pace);
    return { status: 'success', data: { resultType: 'matrix', result } };
  }
  const found: FoundLine[] = [];
  for (const line of lines) {
    if (line.time < start || line.time >= end) continue;
    if (pace.isDue) await pace.rest();
    pace.spend(costOf(query.query, line));
    const matched = runLogQuery(query.query, line);
    if (matched !== undefined) found.push(matched);
  }
  const isForward = parameters.get('direction') === 'forward';
  found.sort((a, b) => (isForward ? byTime(a.line, b.line) : byTime(b.line, a.line)));
  const shown = found.slice(0, Number(parameters.get('limit') ?? 100));
  const result = shown.map(({ line, labels }) => {
    const { detected_level: _, ...stream } = labels;
    return { stream, values: [[String(line.time), line.body]] };
  });
  return { status: 'success', data: { resultType: 'streams', result } };
}

function byTime(a: KeptLine, b: KeptLine): number {
  if (a.time === b.time) return 0;
  return a.time < b.time ? -1 : 1;
}

/** As Loki chooses one: the range in 250 parts, of whole seconds. */
function stepOf(parameters: URLSearchParams, lastsMs: number): number {
  const given = Number(parameters.get('step') ?? 0) * 1000;
  return given > 0 ? given : Math.max(1000, Math.floor(lastsMs / 250_000) * 1000);
}
