import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { Signal } from '#contract/telemetry/kind';
import { jsonBytes } from '#contract/text/fit';
import type { Findings } from '../../../../generated/surfaces/observability/types.ts';
import { parseRange, type WrittenRange } from '../query/ask/time-range.ts';
import { rfc3339 } from '../query/ask/time-text.ts';
import { type Gathered, type QueryParts, shownProvider } from '../query/federate.ts';
import { limits } from '../query/numbers.ts';
import type { AskedProvider } from '../query/question.ts';
import { type QueryInput, readInput } from '../query/read-input.ts';
import type { Selection } from '../query/select-providers.ts';
import { type ShownLog, shownLog } from '../query/write/log-rows.ts';
import { type ShownTrace, shownTrace } from '../query/write/trace-rows.ts';
import { groupErrors } from './group-errors.ts';
import { metricJumps } from './metric-jumps.ts';
import { readPages } from './read-pages.ts';
import { slowestTraces } from './slowest-traces.ts';

/** What is to be found out. */
export interface Investigation {
  readonly service?: string | undefined;
  readonly timeRange?: WrittenRange | undefined;
  readonly selection?: Selection | undefined;
  readonly maxBytes?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

const defaultBytes = 8192;
/** Lines of errors that are read, and so many at a time; series of metrics. */
const mostLines = 5000;
const askedLines = 1000;
const mostSeries = 1000;
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
  readonly found?: readonly Gathered[];
  readonly reason?: string;
  /** Whether nothing follows what was found. */
  readonly isWhole?: boolean;
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

  const ask = async (signal: Signal, asked: QueryInput, mostRows = 1): Promise<Asked> => {
    if (!mayAsk(signal)) return { signal, reason: 'the scope for it is missing' };
    try {
      const shared = { selection, timeRange, ...(timeoutMs !== undefined && { timeoutMs }) };
      const query = readInput(signal, { ...shared, ...asked }, parts.now(), 'json');
      const { pages, isWhole } = await readPages(parts, query, context, mostRows);
      return { signal, found: pages, isWhole };
    } catch (error) {
      if (error instanceof ServiceError) return { signal, reason: error.message };
      throw error;
    }
  };

  const about = service === undefined ? {} : { service };
  // As long before as the time that is asked about.
  const before = { startMs: Math.max(0, 2 * startMs - endMs), endMs };
  const stepSeconds = Math.max(15, Math.ceil((endMs - before.startMs) / 1000 / samples));
  const slow: Asked[] = [];
  const askSlow = async (minDurationMs: number) => {
    const asked = await ask('trace', { filter: { ...about, minDurationMs }, limit: askedTraces });
    slow.push(asked);
    return { traces: tracesIn(asked), isWhole: asked.isWhole ?? true };
  };
  const [errors, graver, failed, slowest, metrics] = await Promise.all([
    ask('log', { filter: { ...about, level: 'error' }, limit: askedLines }, mostLines),
    ask('log', { filter: { ...about, level: 'fatal' }, limit: askedLines }, mostLines),
    ask('trace', { filter: { ...about, level: 'error' }, limit: askedTraces }),
    slowestTraces(askSlow, shownTraces),
    ask('metric', { promql: countersOf(service), timeRange: before, stepSeconds }, mostSeries),
  ]);

  const groups = groupErrors([...logsIn(graver).filter(isGraver), ...logsIn(errors)]);
  const failedTraces = tracesIn(failed);
  const wanted = [
    ...groups.flatMap(({ traceIds }) => traceIds.slice(0, 1)),
    ...[...failedTraces, ...slowest.traces].map(({ traceId }) => traceId),
  ];
  const followed = [...new Set(wanted)].slice(0, followedTraces);
  const related = await Promise.all(
    followed.map((traceId) => ask('log', { filter: { traceId }, limit: linesOfTrace })),
  );
  const series = (metrics.found ?? []).flatMap(({ page }) =>
    page.holds === 'series' ? page.rows : [],
  );
  const jumps = metricJumps(series, startMs / 1000);
  const all = [errors, graver, failed, ...slow, metrics, ...related];
  const unseen = [
    ...unseenOf(errors, 'lines of errors: the newest are counted, and there are more'),
    ...unseenOf(graver, 'lines of fatal errors: the newest are counted, and there are more'),
    ...unseenOf(failed, 'traces with an error: the newest are looked at, and there are more'),
    ...unseenOf(metrics, 'counters: there are more'),
    ...(slowest.isTypicalWhole
      ? []
      : [
          { signalType: 'trace', reason: `typicalMs is of the newest ${askedTraces} traces alone` },
        ]),
    ...(slowest.isWhole ? [] : [{ signalType: 'trace', reason: 'slower traces may be there' }]),
  ];
  const answer = {
    ...(service !== undefined && { service }),
    range: { from: rfc3339(range.start), to: rfc3339(range.end) },
    errors: groups.slice(0, shownOthers).map(plain),
    errorTraces: failedTraces.slice(0, shownTraces).map(plain),
    slowTraces: slowest.traces.map(plain),
    typicalMs: slowest.typicalMs,
    relatedLogs: related.flatMap(logsIn).map(withoutAttributes).slice(0, shownOthers).map(plain),
    metricJumps: jumps.slice(0, shownOthers).map(plain),
    providers: providersOf(all).map(plain),
    missing: [...missingOf(all), ...unseen].map(plain),
    partial:
      unseen.length > 0 ||
      all.some(({ found = [], reason }) => reason !== undefined || found.some(isPartial)),
  };
  const leftOut =
    Math.max(0, groups.length - shownOthers) +
    Math.max(0, failedTraces.length - shownTraces) +
    Math.max(0, jumps.length - shownOthers);
  const maxBytes = Math.min(input.maxBytes ?? defaultBytes, limits.inlineBytes);
  return cutTo(answer, leftOut, maxBytes);
}

/** Counters of a service, as OpenTelemetry and Prometheus call the job of one. */
function countersOf(service: string | undefined): string {
  const name = '__name__=~".+_(total|count)"';
  if (service === undefined) return `{${name}}`;
  const job = `(.+/)?${service.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`;
  return `{${name}, job=~${JSON.stringify(job)}}`;
}

function logsIn({ found = [] }: Asked): ShownLog[] {
  return found.flatMap(({ page }) => (page.holds === 'logs' ? page.rows.map(shownLog) : []));
}

function tracesIn({ found = [] }: Asked): ShownTrace[] {
  return found.flatMap(({ page }) => (page.holds === 'traces' ? page.rows.map(shownTrace) : []));
}

/** A back end that heeds no level gives the same lines for each. */
function isGraver({ severity }: ShownLog): boolean {
  return severity !== 'ERROR';
}

/** What was not looked at, for the caller to read. */
function unseenOf({ signal, isWhole = true }: Asked, reason: string) {
  return isWhole ? [] : [{ signalType: signal, reason }];
}

function withoutAttributes({ attributes: _, body, ...line }: ShownLog) {
  return { ...line, body: body.slice(0, 300) };
}

function isPartial({ answers }: Gathered): boolean {
  return answers.some(({ status }) => status !== 'ok' && status !== 'skipped');
}

/** Each provider once for each signal, as the worst of its answers was. */
function providersOf(all: readonly Asked[]) {
  const byName = new Map<string, object & { readonly status: string }>();
  for (const { signal, found } of all) {
    for (const answer of (found ?? []).flatMap(({ answers }) => answers)) {
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

const cuttable = ['relatedLogs', 'slowTraces', 'errorTraces', 'metricJumps', 'errors'] as const;

/** As the schema has it. */
function plain(value: object): Record<string, unknown> {
  return { ...value };
}

/** Leave out the last of the longest list until all has room; what was left out is counted. */
function cutTo(answer: Omit<Findings, 'leftOut'>, left: number, maxBytes: number): Findings {
  const lists = Object.fromEntries(cuttable.map((name) => [name, [...answer[name]]]));
  for (let leftOut = left; ; leftOut += 1) {
    const shown: Findings = { ...answer, ...lists, leftOut };
    const longest = Object.values(lists).reduce((a, b) => (b.length > a.length ? b : a));
    if (longest.length === 0 || jsonBytes(shown, maxBytes) <= maxBytes) return shown;
    longest.pop();
  }
}
