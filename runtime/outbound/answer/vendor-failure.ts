import { ToolError, type ToolErrorCode, type ToolErrorDetail } from '#contract/errors';
import { type JsonPath, valueAt } from '#contract/json';
import type { Provider, ProviderRetry } from '#contract/provider';
import { type Answer, headerOf } from '../call/exchange.ts';
import { isRefusal, tooEarly } from '../call/retry.ts';
import { decodeLeniently } from '../content/decode.ts';
import { decodeText, isHtmlType, mediaType } from '../content/media-type.ts';
import { pageWords } from '../content/page-words.ts';
import type { XmlReader } from '../content/xml.ts';
import type { Scrub } from '../credentials/scrub.ts';
import { isSoftFailure } from '../digest/digest.ts';
import { longestWaitMs, type RateReport } from '../rates/rate-headers.ts';
import { failureWords } from './failure-words.ts';
import { type SentWith, wantedCredential } from './wanted-credential.ts';

/** Whose failure it is, and whether the request may be sent again. */
export interface FailureContext {
  readonly provider: Provider;
  readonly retry: ProviderRetry;
  readonly scrub: Scrub;
  /** Sending the request twice does no harm. */
  readonly repeatable: boolean;
  /** It changes nothing at the vendor. */
  readonly reads: boolean;
  /** What the arguments of the tool are called. */
  readonly names?: readonly string[];
  /** Reads XML as the tool does. */
  readonly xml: XmlReader;
  /** What its requests carry, of those of a tool. */
  readonly sentWith?: SentWith;
}

const messageLength = 500;
const detailsLength = 2_000;
/** So much of a page is decoded for its first words. */
const pageBytes = 64 * 1024;
/** Of what is compressed, and larger than that, no part is read: nobody writes so much of an error. */
const tooMuch = 'what it says is too large to be read';
/** How much is searched for secrets: a text is scrubbed before it is cut, lest half a secret stay. */
const scrubbedLength = 64_000;

const codes: Readonly<Record<number, ToolErrorCode>> = {
  401: 'unauthorized',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  408: 'upstream_timeout',
  409: 'conflict',
  410: 'not_found',
  412: 'conflict',
  423: 'conflict',
  [tooEarly]: 'upstream_error',
  429: 'rate_limited',
  451: 'forbidden',
};

/** Turn an answer with a status that means failure into an error. */
export function statusFailure(
  answer: Answer,
  report: RateReport,
  context: FailureContext,
): ToolError {
  const { errors, title } = context.provider;
  const isPacked = answer.coding !== undefined;
  const value = isPacked ? undefined : decodeLeniently(answer, context.xml);
  const upstreamCode = textAt(value, errors?.code, context);
  const code = limited(answer.status, upstreamCode, report) ?? codeOf(answer.status);
  const said = isPacked ? tooMuch : saidIn(answer, value, context);
  const sentTo = placeOf(answer, context);
  const { status } = answer;
  const transient =
    code === 'rate_limited' || status === tooEarly || context.retry.statuses.includes(status);
  const waitMs = report.retryAfterMs ?? bodyWait(value, context) ?? report.resetMs;
  const isRefused = isRefusal(code, { httpStatus: status, retryAfterMs: report.retryAfterMs });
  const named = status === tooEarly ? `${status} (too early)` : status;
  return new ToolError(code, `${title} answered ${named}${sentTo}${said ? `: ${said}` : ''}`, {
    ...about(context, value),
    httpStatus: status,
    retryable: transient && (context.repeatable || isRefused),
    ...(!context.reads && status >= 500 && !isRefused && { mayBeDone: true }),
    ...(transient && waitOf(waitMs)),
    upstreamCode,
    ...(status === 401 &&
      context.sentWith && { advice: wantedCredential(answer.headers, context.sentWith) }),
  });
}

/** Find the failure in an answer whose status means success. */
export function softFailure(
  value: unknown,
  status: number,
  context: FailureContext,
): ToolError | undefined {
  const { errors, title } = context.provider;
  const soft = errors?.soft;
  if (soft === undefined || !isSoftFailure(value, soft)) return undefined;
  const message = textAt(value, soft.message, context) ?? textAt(value, errors?.message, context);
  const upstreamCode = textAt(value, errors?.code, context) ?? identifier(message);
  const code = soft.equals === null ? 'not_found' : codeOfWords(upstreamCode ?? '');
  return new ToolError(code, `${title} refused the call${message ? `: ${message}` : ''}`, {
    ...about(context, value),
    httpStatus: status,
    retryable: code === 'rate_limited',
    ...(code === 'rate_limited' && waitOf(bodyWait(value, context))),
    upstreamCode,
  });
}

/** A wait that a vendor asks for; an absurd one is cut, and said to be. */
function waitOf(ms: number | undefined): Pick<ToolErrorDetail, 'retryAfterMs' | 'askedToWaitMs'> {
  if (ms === undefined || ms <= longestWaitMs) return { retryAfterMs: ms };
  return { retryAfterMs: longestWaitMs, askedToWaitMs: ms };
}

/** Milliseconds that the body asks to wait. */
export function bodyWait(value: unknown, { retry }: FailureContext): number | undefined {
  if (retry.atBody === undefined) return undefined;
  return waitMs(valueAt(value, retry.atBody));
}

/** Milliseconds of a wait that a body names in seconds. */
export function waitMs(found: unknown): number | undefined {
  const seconds = Number(found ?? Number.NaN);
  return seconds > 0 ? Math.ceil(seconds * 1000) : undefined;
}

function codeOf(status: number): ToolErrorCode {
  return codes[status] ?? (status >= 400 && status < 500 ? 'invalid_arguments' : 'upstream_error');
}

/** Some vendors say with another status than 429 that the caller is too fast. */
function limited(
  status: number,
  upstreamCode: string | undefined,
  report: RateReport,
): ToolErrorCode | undefined {
  const paused = report.retryAfterMs !== undefined || report.remaining === 0;
  if (status === 403 && paused) return 'rate_limited';
  if (status < 500 && codeOfWords(upstreamCode ?? '') === 'rate_limited') return 'rate_limited';
  return undefined;
}

/** What the words of a vendor's own code mean, in the order in which they decide. */
const meanings: readonly (readonly [RegExp, ToolErrorCode])[] = [
  [/rate_?limit|ratelimited|throttl|too_?many/i, 'rate_limited'],
  [/not_?found|no_?such|does_?not_?exist|unknown_/i, 'not_found'],
  [
    /(?:invalid|not|no|missing)_?auth|unauthori[sz]ed|unauthenticated|authentication|token_(?:expired|revoked)|account_inactive/i,
    'unauthorized',
  ],
  [/scope|forbidden|denied|permission|not_allowed|restricted|not_in_channel/i, 'forbidden'],
  [/already_|conflict|duplicate/i, 'conflict'],
  [
    /invalid|bad_|missing|malformed|validation|required|too_long|no_text|input_error/i,
    'invalid_arguments',
  ],
];

function codeOfWords(words: string): ToolErrorCode {
  return meanings.find(([pattern]) => pattern.test(words))?.[1] ?? 'upstream_error';
}

/** A message that is a code: `channel_not_found`. */
function identifier(message: string | undefined): string | undefined {
  return message !== undefined && /^[A-Za-z][A-Za-z0-9_.-]{1,63}$/.test(message)
    ? message
    : undefined;
}

function about(context: FailureContext, value: unknown): ToolErrorDetail {
  const { errors, id, homepage } = context.provider;
  const details = errors?.details === undefined ? undefined : valueAt(value, errors.details);
  return {
    provider: id,
    details: details === undefined || details === null ? undefined : cleanDetails(details, context),
    docs: homepage,
    untrusted: true,
  };
}

function cleanDetails(details: unknown, { scrub }: FailureContext): unknown {
  const text = scrub(JSON.stringify(details).slice(0, scrubbedLength)).slice(0, detailsLength);
  try {
    return JSON.parse(text);
  } catch {
    // Cut in the middle: what is left is a text.
    return text;
  }
}

/** Where another status than those that are followed sends whoever asks (RFC 9110, section 15.4). */
function placeOf({ status, headers }: Answer, context: FailureContext): string {
  if (status < 300 || status >= 400) return '';
  const place = clean(headerOf(headers, 'location') ?? '', context);
  return place === undefined ? '' : ` and names ${place}`;
}

/** What an answer says is wrong; of a page its title and first words, for no line says it alone. */
function saidIn(answer: Answer, value: unknown, context: FailureContext): string | undefined {
  const isPage =
    typeof value === 'string' && /^\s*<(?:!doctype html|html|head|body)\b/i.test(value);
  if (isPage || isHtmlType(mediaType(answer.headers))) return pageSaid(answer, context);
  const summary = textAt(value, context.provider.errors?.message, context);
  const said = failureWords(value, { summary, names: context.names ?? [] });
  return clean(said ?? wholeOf(value), context);
}

/** What says nothing of itself in words that are known says it in others: an error keeps its data. */
function wholeOf(value: unknown): string {
  const isEmpty = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  return isEmpty ? '' : JSON.stringify(value);
}

function pageSaid({ body, headers }: Answer, context: FailureContext): string {
  const words = pageWords(decodeText(body.subarray(0, pageBytes), headers));
  const said = words && clean(words, context);
  return said ? `an HTML page: ${said}` : 'an HTML page';
}

function textAt(
  value: unknown,
  path: JsonPath | undefined,
  context: FailureContext,
): string | undefined {
  if (path === undefined) return undefined;
  const found = valueAt(value, path);
  const parts = (Array.isArray(found) ? found : [found]).filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  );
  return parts.length === 0 ? undefined : clean(parts.join('; '), context);
}

function clean(text: string, { scrub }: FailureContext): string | undefined {
  const short = scrub(text.slice(0, scrubbedLength)).trim();
  if (short === '') return undefined;
  return short.length > messageLength ? `${short.slice(0, messageLength)}…` : short;
}
