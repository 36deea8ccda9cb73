import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { Signal } from '#contract/telemetry/kind';
import { jsonBytes } from '#contract/text/fit';
import type { Findings } from '../../../../generated/surfaces/observability/types.ts';
import { parseRange, type WrittenRange } from '../query/ask/time-range.ts';
import { rfc3339 } from '../query/ask/time-text.ts';
import { type Gathered, gather, type QueryParts, shownProvider } from '../query/federate.ts';
import { limits } from '../query/numbers.ts';
import type { AskedProvider } from '../query/question.ts';
import { type QueryInput, readInput } from '../query/read-input.ts';
import type { Selection } from '../query/select-providers.ts';
import { type ShownLog, shownLog } from '../query/write/log-rows.ts';
import { type ShownTrace, shownTrace } from '../query/write/trace-rows.ts';
import { groupErrors } from './group-errors.ts';
import { metricJumps } from './metric-jumps.ts';

/** What is to be found out. */
export interface Investigation {
  readonly service?: string | undefined;
  readonly timeRange?: WrittenRange | undefined;
  readonly selection?: Selection | undefined;
  readonly maxBytes?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

const defaultBytes = 8192;
const askedLines = 200;
const askedTraces = 100;
/** Traces of which all lines are wanted, and lines of each. */
const followedTraces = 3;
const linesOfTrace = 5;
const shownTraces = 5;
const shownOthers = 10;
/** Samples of a series in all. */
const samples = 40;

/** What came of one question. */
interface Asked {
  readonly signal: Signal;
  readonly found?: Gathered;
  readonly reason?: string;
}

/**
 * Ask logs, traces and metrics at once what is wrong with a service, and say it in little room. What the
 * caller may not see, or nobody answers, is named as missing.
 */
export async function investigate<Provider extends AskedProvider>(
  parts: QueryParts<Provider>,
  input: Investigation,
  context: CallContext,
  mayAsk: (signal: Signal) => boolean,
): Promise<Findings> {
  const { service, selection = { mode: 'all' }, timeoutMs } = input;
  const range = parseRange(input.timeRange, parts.now(), limits.rangeMs);
  const [startMs, endMs] = [Number(range.start / 1_000_000n), Number(range.end / 1_000_000n)];
  const timeRange = { startMs, endMs };

  const ask = async (signal: Signal, asked: QueryInput): Promise<Asked> => {
    if (!mayAsk(signal)) return { signal, reason: 'the scope for it is missing' };
    try {
      const shared = { selection, timeRange, ...(timeoutMs !== undefined && { timeoutMs }) };
      const query = readInput(signal, { ...shared, ...asked }, parts.now(), 'json');
      return { signal, found: await gather(parts, query, context) };
    } catch (error) {
      if (error instanceof ServiceError) return { signal, reason: error.message };
      throw error;
    }
  };

  const about = service === undefined ? {} : { service };
  // As long before as the time that is asked about.
  const before = { startMs: Math.max(0, 2 * startMs - endMs), endMs };
  const stepSeconds = Math.max(15, Math.ceil((endMs - before.startMs) / 1000 / samples));
  const [errors, failed, slow, metrics] = await Promise.all([
    ask('log', { filter: { ...about, level: 'error' }, limit: askedLines }),
    ask('trace', { filter: { ...about, level: 'error' }, limit: askedTraces }),
    ask('trace', { filter: { ...about, minDurationMs: 1 }, limit: askedTraces }),
    ask('metric', { promql: countersOf(service), timeRange: before, stepSeconds }),
  ]);

  const groups = groupErrors(logsIn(errors));
  const failedTraces = tracesIn(failed);
  const slowTraces = tracesIn(slow).toSorted((a, b) => b.durationMs - a.durationMs);
  const wanted = [
    ...groups.flatMap(({ traceIds }) => traceIds.slice(0, 1)),
    ...[...failedTraces, ...slowTraces].map(({ traceId }) => traceId),
  ];
  const followed = [...new Set(wanted)].slice(0, followedTraces);
  const related = await Promise.all(
    followed.map((traceId) => ask('log', { filter: { traceId }, limit: linesOfTrace })),
  );
  const { found } = metrics;
  const series = found?.page.holds === 'series' ? found.page.rows : [];
  const all = [errors, failed, slow, metrics, ...related];
  const answer = {
    ...(service !== undefined && { service }),
    range: { from: rfc3339(range.start), to: rfc3339(range.end) },
    errors: groups.slice(0, shownOthers).map(plain),
    errorTraces: failedTraces.slice(0, shownTraces).map(plain),
    slowTraces: slowTraces.slice(0, shownTraces).map(plain),
    typicalMs: median(slowTraces.map(({ durationMs }) => durationMs)),
    relatedLogs: related.flatMap(logsIn).map(withoutAttributes).slice(0, shownOthers).map(plain),
    metricJumps: metricJumps(series, startMs / 1000)
      .slice(0, shownOthers)
      .map(plain),
    providers: providersOf(all).map(plain),
    missing: missingOf(all).map(plain),
    partial: all.some(({ found: given, reason }) => reason !== undefined || isPartial(given)),
  };
  return cutTo(answer, Math.min(input.maxBytes ?? defaultBytes, limits.inlineBytes));
}

/** Counters of a service, as OpenTelemetry and Prometheus call the job of one. */
function countersOf(service: string | undefined): string {
  const name = '__name__=~".+_(total|count)"';
  if (service === undefined) return `{${name}}`;
  const job = `(.+/)?${service.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`;
  return `{${name}, job=~${JSON.stringify(job)}}`;
}

function logsIn({ found }: Asked): ShownLog[] {
  return found?.page.holds === 'logs' ? found.page.rows.map(shownLog) : [];
}

function tracesIn({ found }: Asked): ShownTrace[] {
  return found?.page.holds === 'traces' ? found.page.rows.map(shownTrace) : [];
}

function withoutAttributes({ attributes: _, body, ...line }: ShownLog) {
  return { ...line, body: body.slice(0, 300) };
}

function isPartial(found: Gathered | undefined): boolean {
  return (found?.answers ?? []).some(({ status }) => status !== 'ok' && status !== 'skipped');
}

/** Each provider once for each signal, as the worst of its answers was. */
function providersOf(all: readonly Asked[]) {
  const byName = new Map<string, object & { readonly status: string }>();
  for (const { signal, found } of all) {
    for (const answer of found?.answers ?? []) {
      const { providerId, kind, status, error, reason } = {
        error: undefined,
        reason: undefined,
        ...shownProvider(answer),
      };
      const why = error?.message ?? reason;
      const shown = {
        signalType: signal,
        providerId,
        kind,
        status,
        ...(why !== undefined && { reason: why }),
      };
      const name = `${signal}/${providerId}`;
      const known = byName.get(name);
      if (known === undefined || known.status === 'ok') byName.set(name, shown);
    }
  }
  return [...byName.values()];
}

function missingOf(all: readonly Asked[]) {
  const found = all.flatMap(({ signal, reason }) =>
    reason === undefined ? [] : [{ signalType: signal, reason: reason.slice(0, 300) }],
  );
  return [...new Map(found.map((each) => [`${each.signalType} ${each.reason}`, each])).values()];
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

const cuttable = ['relatedLogs', 'slowTraces', 'errorTraces', 'metricJumps', 'errors'] as const;

/** As the schema has it. */
function plain(value: object): Record<string, unknown> {
  return { ...value };
}

/** Leave out the last of the longest list until all has room; what was left out is counted. */
function cutTo(answer: Omit<Findings, 'leftOut'>, maxBytes: number): Findings {
  const lists = Object.fromEntries(cuttable.map((name) => [name, [...answer[name]]]));
  for (let leftOut = 0; ; leftOut += 1) {
    const shown: Findings = { ...answer, ...lists, leftOut };
    const longest = Object.values(lists).reduce((a, b) => (b.length > a.length ? b : a));
    if (longest.length === 0 || jsonBytes(shown, maxBytes) <= maxBytes) return shown;
    longest.pop();
  }
}
