import { createHash } from 'node:crypto';
import type { CallContext } from '#contract/caller';
import { comparableText } from '#contract/json';
import type { Signal } from '#contract/telemetry/kind';
import { fit } from '#contract/text/fit';
import { rfc3339 } from './ask/time-text.ts';
import type { FetchBackEnd, ProviderAnswer } from './ask-provider.ts';
import { fanOut, type LoadKind, requireAnswers } from './fan-out.ts';
import { type End, mergePage, type Page } from './page.ts';
import type { AskedProvider, Question } from './question.ts';
import type { ReadQuery } from './read-input.ts';
import { selectProviders } from './select-providers.ts';
import { tracedFetch } from './traced-fetch.ts';
import { writeCursor } from './write/cursor.ts';
import { type WrittenPage, writePage } from './write/write-page.ts';

/** What federated queries need of the rest of the server. */
export interface QueryParts<Provider extends AskedProvider = AskedProvider> {
  /** The providers of a tenant. */
  readonly providers: (tenant: string) => Promise<readonly Provider[]>;
  readonly loadKind: LoadKind;
  readonly fetch: FetchBackEnd<Provider>;
  readonly now: () => number;
  /** Writes down that raw telemetry left a provider, before it leaves this server. */
  readonly rawAccess: (access: RawAccess, context: CallContext) => Promise<void>;
}

/** Raw telemetry that one provider gave. */
export interface RawAccess {
  readonly providerId: string;
  readonly signal: Signal;
  /** Of what was asked: its text can hold personal data. */
  readonly querySha256: string;
  readonly from: string;
  readonly to: string;
  readonly rows: number;
  readonly bytes: number;
}

/** What providers gave to one query. */
export interface Gathered {
  readonly answers: readonly ProviderAnswer[];
  readonly page: Page;
  /** They were asked one after the other until one answered. */
  readonly isFallback: boolean;
}

/**
 * Ask the chosen providers and merge what they give. Whoever gets rows of a provider is written down
 * before they get them.
 *
 * @throws ServiceError where none answers
 */
export async function gather<Provider extends AskedProvider>(
  parts: QueryParts<Provider>,
  query: ReadQuery,
  context: CallContext,
): Promise<Gathered> {
  const { question, selection, timeoutMs, partial } = query;
  const all = await parts.providers(context.caller.tenant);
  const selected = selectProviders(all, question.signal, selection);
  const answers = await fanOut(question, selected, parts.loadKind, {
    ...{
      fetch: tracedFetch(parts.fetch, context),
      now: parts.now,
      timeoutMs,
      signal: context.signal,
    },
  });
  // One that answered for another is as good as that one.
  requireAnswers(answers, selected.isFallback ? 'allow' : partial);
  const page = mergePage(query, answers);
  if (isRaw(query, page)) await writeDown(parts, query, answers, context);
  return { answers, page, isFallback: selected.isFallback };
}

/**
 * Counts are no raw telemetry: those of a summary, and those that a log store makes of lines. What is
 * counted by a label shows the label, which a query can make of the text of the lines.
 */
function isRaw({ format, wantsNative, question }: ReadQuery, page: Page): boolean {
  if (wantsNative) return true;
  if (page.holds !== 'series') return format !== 'summary';
  if (format !== 'summary' && question.signal !== 'log') return true;
  return page.rows.some(({ metric }) => !isPlain(metric, question));
}

/** Labels that say no more than where lines come from, and how grave they are. */
export const plainLabels: ReadonlySet<string> = new Set([
  ...['provider_id', 'service', 'service_name', 'level', 'detected_level', 'severity'],
  ...['severity_text', 'source', 'job'],
]);
const longestPlain = 64;
/** Stages and functions that give labels a value of their own, wherever they stand. */
const makesLabels =
  /regexp|json|logfmt|pattern|unpack|label|line_format|extract|format|replace|copy|rename|math/i;

function isPlain(labels: Readonly<Record<string, string>>, { query, queries }: Question): boolean {
  const names = Object.keys(labels);
  if (names.every((name) => name === 'provider_id')) return true;
  if (makesLabels.test([query, ...Object.values(queries ?? {})].join(' '))) return false;
  return names.every(
    (name) => plainLabels.has(name) && (labels[name]?.length ?? 0) <= longestPlain,
  );
}

async function writeDown<Provider extends AskedProvider>(
  { rawAccess }: QueryParts<Provider>,
  { question }: ReadQuery,
  answers: readonly ProviderAnswer<Provider>[],
  context: CallContext,
): Promise<void> {
  const { signal, range, limit: _, ...asked } = question;
  const querySha256 = createHash('sha256').update(comparableText(asked)).digest('hex');
  const shared = { signal, querySha256, from: rfc3339(range.start), to: rfc3339(range.end) };
  const given = answers.filter(({ read, rows }) => read !== undefined && rows > 0);
  await Promise.all(
    given.map(({ provider, rows, bytes }) =>
      rawAccess({ ...shared, providerId: provider.id, rows, bytes }, context),
    ),
  );
}

/** The answer to a federated query, as JSON. */
export function writeAnswer(query: ReadQuery, { answers, page }: Gathered, context: CallContext) {
  const { question, format, maxBytes, name, wantsNative } = query;
  const shown = writePage(page, format, maxBytes);
  const isAll = shown.count === page.rows.length;
  const end =
    (isAll && !page.hasMore) || format === 'summary' ? undefined : page.endAt?.(shown.count);
  const isPartial =
    answers.some(({ status }) => status !== 'ok' && status !== 'skipped') ||
    end?.passes !== undefined ||
    page.isStuck === true ||
    (format === 'summary' && page.hasMore);
  return {
    signalType: question.signal,
    format,
    range: { from: rfc3339(question.range.start), to: rfc3339(question.range.end) },
    ...(wantsNative && { results: nativeResults(answers, maxBytes) }),
    ...shown.written,
    rows: shown.count,
    partial: isPartial,
    complete: answers.flatMap(({ status, provider }) => (status === 'ok' ? [provider.id] : [])),
    providers: answers.map(shownProvider),
    warnings: [...answers.flatMap(warningsOf), ...pageWarnings(page, shown, query, end)],
    dedup: { applied: answers.length > 1, dropped: page.dropped },
    nextCursor: end === undefined ? null : writeCursor(name, end),
    correlationId: context.callId,
  };
}

function nativeResults(answers: readonly ProviderAnswer[], maxBytes: number) {
  const given = answers.filter(({ read }) => read !== undefined);
  const share = Math.floor(maxBytes / Math.max(1, given.length));
  return given.map(({ provider, read }) => ({
    providerId: provider.id,
    payload: fit(read?.native, share),
  }));
}

/** What became of a provider, as JSON. */
export function shownProvider(answer: ProviderAnswer) {
  const { provider, status, failure, skipped, read, rows, bytes, durationMs, isCut } = answer;
  return {
    ...{ providerId: provider.id, kind: provider.kind, status },
    ...(read !== undefined && { rows, bytes, truncated: isCut, stats: read.stats ?? {} }),
    ...(failure !== undefined && { error: failure }),
    ...(skipped !== undefined && { reason: skipped }),
    durationMs: Math.round(durationMs),
  };
}

/** What a provider warns of, or why it gave nothing. */
export function warningsOf({ provider: { id }, failure, skipped, read }: ProviderAnswer): string[] {
  const problem = failure?.message ?? (skipped === undefined ? undefined : `not asked: ${skipped}`);
  return [
    ...(problem === undefined ? [] : [`${id}: ${problem}`]),
    ...(read?.warnings ?? []).map((warning) => `${id}: ${warning}`),
  ];
}

function pageWarnings(
  page: Page,
  { count, isShortened }: WrittenPage,
  { format }: ReadQuery,
  end: End | undefined,
): string[] {
  if (page.isStuck) return [stuckWarning];
  if (format === 'summary') {
    if (!page.hasMore) return [];
    return [
      `the summary speaks of ${count} rows, and there are more: ask for a shorter time, with a larger limit, or for an export`,
    ];
  }
  if (isShortened) {
    return [
      'not even the first row has room: a part of it is given; ask for csv, or with a larger maxBytes',
    ];
  }
  if (end?.passes !== undefined) return [passedWarning(end.passes)];
  const isLost = page.endAt === undefined && (page.hasMore || count < page.rows.length);
  if (!isLost) return [];
  return [
    `${count} rows of more than ${page.rows.length} are given, and there are no further pages`,
  ];
}

/** Say that rows of one time are not given. */
export function passedWarning(time: bigint): string {
  return `more rows of the time ${rfc3339(time)} may be there than pages can tell apart: those are left out`;
}

/** What a back end leaves open that heeds no time. */
export const stuckWarning =
  'a back end gives nothing but rows of another time than it was asked for: whether there are more is not known';
