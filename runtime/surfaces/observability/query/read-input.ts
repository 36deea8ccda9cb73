import { ServiceError } from '#contract/errors';
import type { QueryLanguage, Signal } from '#contract/telemetry/kind';
import type { NeutralFilter } from './ask/neutral-filter.ts';
import { parseRange, type WrittenRange } from './ask/time-range.ts';
import { limits } from './numbers.ts';
import type { Question } from './question.ts';
import type { Selection } from './select-providers.ts';
import { type Position, queryName, readCursor } from './write/cursor.ts';

/** A query as callers write it; the schemas of tools and routes have checked its types. */
export interface QueryInput {
  readonly logql?: string | undefined;
  readonly promql?: string | undefined;
  readonly traceql?: string | undefined;
  readonly query?: string | undefined;
  readonly language?: QueryLanguage | undefined;
  readonly queries?: Readonly<Record<string, string>> | undefined;
  readonly filter?: NeutralFilter | undefined;
  readonly timeRange?: WrittenRange | undefined;
  readonly limit?: number | undefined;
  readonly stepSeconds?: number | undefined;
  readonly selection?: Selection | undefined;
  readonly direction?: 'backward' | 'forward' | undefined;
  readonly format?: Format | undefined;
  readonly dedup?: 'none' | 'first_primary' | undefined;
  readonly maxBytes?: number | undefined;
  readonly cursor?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly partial?: 'allow' | 'forbid' | undefined;
  readonly raw?: boolean | undefined;
}

export type Format = 'json' | 'csv' | 'summary';

/** A query, understood. */
export interface ReadQuery {
  /** What the providers are asked, for this page. */
  readonly question: Question;
  readonly selection: Selection;
  readonly format: Format;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly partial: 'allow' | 'forbid';
  readonly wantsNative: boolean;
  /** Of several series with equal labels, only that of the first provider. */
  readonly onlyFirst: boolean;
  /** Most rows of the page. */
  readonly pageRows: number;
  /** Most spans of one trace, where that is not the usual number. */
  readonly mostSpans?: number;
  /** A short name of the query, the same for each of its pages. */
  readonly name: string;
  /** Where the page before has ended. */
  readonly position: Position | undefined;
}

/** The field in which callers write the language that their signal usually has. */
const ownFields: {
  readonly [Kept in Signal]?: readonly ['logql' | 'promql' | 'traceql', QueryLanguage];
} = {
  log: ['logql', 'logql'],
  metric: ['promql', 'promql'],
  trace: ['traceql', 'traceql'],
};

/** @throws ServiceError `invalid_request` */
export function readInput(
  signal: Signal,
  input: QueryInput,
  now: number,
  defaultFormat: Format,
): ReadQuery {
  const asked = askedIn(signal, input);
  const isMetric = signal === 'metric';
  const range = parseRange(input.timeRange, now, isMetric ? limits.metricRangeMs : limits.rangeMs);
  const { direction = 'backward', selection = { mode: 'primary' }, cursor } = input;
  const name = queryName({ signal, asked, selection, direction, limit: input.limit ?? null });
  const position = cursor === undefined ? undefined : readCursor(name, cursor);
  const isForward = direction === 'forward';
  const format = input.format ?? defaultFormat;
  const pageRows = rowsOf(signal, input.limit, format);
  const question: Question = {
    ...{ signal, direction, ...asked },
    range: position?.time === undefined ? range : rangeFrom(range, position.time, isForward),
    limit: pageRows + (position?.given.length ?? 0) + (position?.near?.length ?? 0),
    ...(isMetric && { stepSeconds: stepOf(input.stepSeconds, range) }),
  };
  return {
    ...{ question, selection, pageRows, name, position, format },
    maxBytes: Math.min(input.maxBytes ?? limits.defaultBytes, limits.inlineBytes),
    timeoutMs: Math.min(input.timeoutMs ?? limits.deadlineMs, limits.mostDeadlineMs),
    partial: input.partial ?? 'allow',
    wantsNative: input.raw ?? false,
    onlyFirst: input.dedup === 'first_primary',
  };
}

/** What is asked, in one of the ways in which it can be written. */
function askedIn(signal: Signal, input: QueryInput) {
  const [field, language] = ownFields[signal] ?? [];
  const own = field === undefined ? undefined : input[field];
  const { query, queries, filter } = input;
  const ways = [own, query, filter].filter((way) => way !== undefined);
  const names = [field ?? [], 'query', 'filter'].flat().join(', ');
  if (ways.length > 1) throw wrong(`only one of ${names} may be given`, field ?? 'query');
  if (ways.length === 0 && queries === undefined) {
    throw wrong(`one of ${names} or queries is needed`, field ?? 'query');
  }
  if (filter !== undefined && Object.values(filter).every(asksNothing)) {
    throw wrong(
      'filter asks for nothing: give it a service, level, text, traceId, attributes or minDurationMs',
      'filter',
    );
  }
  if (signal === 'trace' && filter?.traceId !== undefined) {
    const others = Object.entries(filter).filter(([key, value]) => key !== 'traceId' && value);
    if (others.length > 0)
      throw wrong('filter.traceId names one trace, nothing else can be asked with it', 'filter');
    return { traceId: traceIdOf(filter.traceId) };
  }
  return {
    ...(own !== undefined && language !== undefined && { query: own, language }),
    ...(query !== undefined && { query }),
    ...(query !== undefined && input.language !== undefined && { language: input.language }),
    ...(queries !== undefined && { queries }),
    ...(filter !== undefined && { filter }),
  };
}

/** Attributes without one of them ask for no more than nothing does. */
function asksNothing(value: NeutralFilter[keyof NeutralFilter]): boolean {
  return value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
}

/**
 * Read the id of a trace as W3C Trace Context has it; zeros at its beginning may be left out.
 *
 * @throws ServiceError `invalid_request`
 */
export function traceIdOf(text: string): string {
  if (/^[0-9a-fA-F]{1,32}$/.test(text)) return text.toLowerCase().padStart(32, '0');
  throw wrong(
    `traceId must be up to 32 hexadecimal digits, but it is ${JSON.stringify(text.slice(0, 60))}`,
    'traceId',
  );
}

/** A summary takes no room for its rows, and speaks of as many as there can be. */
function rowsOf(signal: Signal, limit: number | undefined, format: Format): number {
  if (signal === 'metric') return limits.series;
  const isShort = format === 'summary';
  if (signal === 'trace') {
    return Math.min(limit ?? (isShort ? limits.summaryTraces : limits.defaultTraces), limits.rows);
  }
  return Math.min(limit ?? (isShort ? limits.rows : limits.defaultRows), limits.rows);
}

/** What lies at the very time of the last row is asked for again: some of it may not have been given. */
function rangeFrom({ start, end }: Question['range'], time: bigint, isForward: boolean) {
  return isForward ? { start: time, end } : { start, end: time + 1n };
}

function stepOf(wanted: number | undefined, { start, end }: Question['range']): number {
  const seconds = Number((end - start) / 1_000_000_000n);
  const step = wanted ?? Math.max(60, Math.ceil(seconds / limits.wantedSamples));
  if (seconds / step <= limits.samples) return step;
  const least = Math.ceil(seconds / limits.samples);
  throw wrong(
    `stepSeconds must be ${least} or more for this range, which gives ${limits.samples} samples at most, but it is ${step}`,
    'stepSeconds',
  );
}

function wrong(message: string, field: string): ServiceError {
  return new ServiceError('invalid_request', 400, message, { detail: { field } });
}
