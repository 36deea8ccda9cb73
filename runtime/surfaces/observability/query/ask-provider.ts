import { OutboundError, type StrangerAnswer } from '#contract/house/outbound';
import type { TelemetryKind } from '#contract/telemetry/kind';
import { connectionFailure, failureOf, type ProviderFailure } from './answers/back-end-failure.ts';
import { readAnswer } from './answers/read-answer.ts';
import { type Content, type ReadAnswer, UnusableAnswer } from './answers/rows.ts';
import { withinRange } from './answers/within-range.ts';
import { type BuiltRequest, buildRequest, type RequestValues } from './ask/back-end-request.ts';
import { type Compiled, compile } from './ask/compile.ts';
import { estimateCost, excessOf } from './ask/cost.ts';
import { tenantHeaders } from './ask/tenant-headers.ts';
import { limits } from './numbers.ts';
import type { AskedProvider, Question } from './question.ts';

/** Sends one request to a back end of the registry. */
export type FetchBackEnd<Provider> = (
  provider: Provider,
  request: {
    readonly path: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly maxBytes: number;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
) => Promise<StrangerAnswer>;

/** What became of one provider. */
export interface ProviderAnswer<Provider = AskedProvider> {
  readonly provider: Provider;
  readonly status: 'ok' | 'partial' | 'error' | 'timeout' | 'skipped';
  readonly read?: ReadAnswer;
  readonly failure?: ProviderFailure;
  /** Why it was not asked. */
  readonly skipped?: string;
  readonly rows: number;
  readonly bytes: number;
  readonly durationMs: number;
  /** It gave as many rows as it was asked for. */
  readonly isCut: boolean;
  /** Rows that it was not asked for. */
  readonly strays: number;
}

/** How one provider is asked. */
export interface Asking<Provider> {
  readonly fetch: FetchBackEnd<Provider>;
  readonly now: () => number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Ask one provider; whatever goes wrong there is part of what comes back. */
export async function askProvider<Provider extends AskedProvider>(
  question: Question,
  provider: Provider,
  kind: TelemetryKind,
  asking: Asking<Provider>,
): Promise<ProviderAnswer<Provider>> {
  const begun = asking.now();
  const left = () => Math.max(1, Math.round(asking.timeoutMs - (asking.now() - begun)));
  const none = { provider, rows: 0, bytes: 0, isCut: false, strays: 0 };
  const failed = (failure: ProviderFailure) => ({
    ...{ ...none, failure, durationMs: asking.now() - begun },
    status: failure.code === 'timeout' ? ('timeout' as const) : ('error' as const),
  });
  const compiled = compile(question, provider, kind);
  if ('skipped' in compiled) return { ...none, ...compiled, status: 'skipped', durationMs: 0 };
  const limit = Math.min(question.limit, compiled.rules.mostRows);
  const values = () => valuesOf(question, compiled, limit, left());
  const send = (request: BuiltRequest, timeoutMs: number, maxBytes: number) =>
    asking.fetch(provider, {
      ...request,
      headers: { ...request.headers, ...tenantHeaders(kind.tenant, provider.tenantId) },
      ...{ maxBytes, timeoutMs, signal: asking.signal },
    });
  try {
    const excess = await tooMuch(question, compiled, values(), send);
    if (excess !== undefined) return failed({ code: 'too_large', message: excess });
    const built = buildRequest(compiled.request, values());
    const { status, body } = await send(built, left(), limits.answerBytes);
    if (status === 404 && question.traceId !== undefined) {
      const read = readNothing();
      return { ...none, read, status: 'ok', durationMs: asking.now() - begun };
    }
    if (status < 200 || status > 299) return failed(failureOf(status, body, kind.errors));
    const whole = readAnswer(body, compiled.request.answer);
    if (whole.content.holds === 'series' && asksForLines(question, compiled)) {
      throw new UnusableAnswer('it gives series, where lines of the log were asked for');
    }
    const { read, strays } = withinRange(whole, question);
    const rows = countOf(read.content);
    return {
      ...{ provider, read, rows, strays, bytes: body.length, durationMs: asking.now() - begun },
      status: read.isPartial ? 'partial' : 'ok',
      isCut: question.traceId === undefined && isCut(whole.content, limit),
    };
  } catch (error) {
    asking.signal.throwIfAborted();
    return failed(connectionFailure(asTimeout(error)));
  }
}

/** A query of LogQL that begins with a selector of streams gives lines, as a neutral filter does. */
function asksForLines({ signal }: Question, { query = '{' }: Compiled): boolean {
  return signal === 'log' && /^(?:\s|#[^\n]*\n)*\{/.test(query);
}

async function tooMuch(
  { traceId }: Question,
  { rules: { cost }, query }: Compiled,
  values: RequestValues,
  send: (request: BuiltRequest, timeoutMs: number, maxBytes: number) => Promise<StrangerAnswer>,
): Promise<string | undefined> {
  if (cost === undefined || traceId !== undefined) return undefined;
  const would = await estimateCost({ rules: cost, query, values }, (request) =>
    send(request, Math.min(limits.costMs, values.timeoutMs), limits.costBytes),
  );
  return excessOf(would);
}

function valuesOf(
  { range, stepSeconds, direction }: Question,
  { texts }: Compiled,
  limit: number,
  timeoutMs: number,
): RequestValues {
  return { range, limit, timeoutMs, direction, texts, stepSeconds };
}

/** What a back end that knows no such trace has of it. */
function readNothing(): ReadAnswer {
  return { content: { holds: 'spans', spans: [] }, native: null, warnings: [], isPartial: false };
}

function countOf(content: Content): number {
  switch (content.holds) {
    case 'logs':
      return content.rows.length;
    case 'series':
      return content.series.length;
    case 'traces':
      return content.traces.length;
    case 'spans':
      return content.spans.length;
    case 'profile':
      return content.profile.nodes.length;
  }
}

function isCut(content: Content, limit: number): boolean {
  if (content.holds === 'logs' || content.holds === 'traces') return countOf(content) >= limit;
  if (content.holds !== 'spans') return false;
  return new Set(content.spans.map(({ traceId }) => traceId)).size >= limit;
}

/** A request that was called off without the caller leaving has run out of time. */
export function asTimeout(error: unknown): unknown {
  const isAbort = error instanceof Error && /^(?:Abort|Timeout)Error$/.test(error.name);
  return isAbort ? new OutboundError('timeout', 'the request was called off', error) : error;
}
