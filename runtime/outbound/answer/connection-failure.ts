import { ToolError } from '#contract/errors';
import { type CameUntil, CutOffAnswer } from '../call/cut-off-answer.ts';
import { foreignCoding } from '../call/decompress.ts';
import { type Answer, headerOf } from '../call/exchange.ts';
import { decodeText, isJsonType, isXmlType, mediaType } from '../content/media-type.ts';
import type { FailureContext } from './vendor-failure.ts';

const headTooLarge = 'UND_ERR_HEADERS_OVERFLOW';
/** What undici makes of a length that contradicts the rest of a head, and of a status below 100. */
const brokenHead = new Set(['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION']);
/** What undici says of a 101 that nobody asked for. */
const upgraded = 'bad upgrade';
/** The request may have come there, or not. */
const cut = 'the connection was cut';

/** What nobody knows who got no answer that can be used. */
const unknownEnd = '; what was asked for may have been done';

/** What the codes of Node.js, OpenSSL and undici mean to somebody who only wants an answer. */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name is not in the DNS',
  EAI_AGAIN: 'the DNS does not answer',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: cut,
  EPIPE: cut,
  UND_ERR_SOCKET: cut,
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  EHOSTUNREACH: 'the network there cannot be reached',
  ENETUNREACH: 'the network there cannot be reached',
};

/** So much of an answer that was cut off is told. */
const longestStart = 500;
/** So much of it is searched for secrets before it is cut. */
const scrubbedBytes = 16_384;

type ConnectionContext = Pick<FailureContext, 'provider' | 'reads' | 'repeatable' | 'scrub'>;

/** Turn an error of a connection into one that says no more than the caller may know. */
export function connectionFailure(error: unknown, context: ConnectionContext): ToolError {
  const { provider, reads, repeatable } = context;
  const code = codeOf(error);
  if (error instanceof CutOffAnswer && code !== headTooLarge) return cutOff(error, context);
  const { title } = provider;
  const mayBeDone = reads ? '' : unknownEnd;
  const unread = unreadAnswer(code, error);
  if (unread !== undefined) {
    return new ToolError(
      code === headTooLarge ? 'response_too_large' : 'upstream_error',
      `${title} has answered, but ${unread}${mayBeDone}`,
      { provider: provider.id, retryable: false, ...(!reads && { mayBeDone: true }) },
      error,
    );
  }
  const known = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  return new ToolError(
    'upstream_error',
    known === cut
      ? `${title} has not answered: ${cut}${mayBeDone}`
      : `${title} could not be reached: ${known ?? reasonOf(code)}`,
    {
      provider: provider.id,
      retryable: known !== undefined && repeatable,
      ...(known === cut && !reads && { mayBeDone: true }),
    },
    error,
  );
}

/**
 * An answer that cannot be used, or did not come in time: its status says whether something was done, where
 * there is one, and whoever asked for a change hears that it may have been made.
 */
export function unusedAnswer(
  error: unknown,
  answer: Answer | undefined,
  { provider, reads, repeatable }: Pick<FailureContext, 'provider' | 'reads' | 'repeatable'>,
): unknown {
  if (!(error instanceof ToolError) || error.detail.provider !== undefined) return error;
  const { code, message, detail, cause } = error;
  const { httpStatus = answer?.status } = detail;
  const coding = answer && foreignCoding(headerOf(answer.headers, 'content-encoding'));
  const coded =
    coding === undefined ? '' : ` and names the content coding ${coding}, which is none`;
  const answered =
    httpStatus === undefined ? '' : `; ${provider.title} answered ${httpStatus}${coded}`;
  const isLost = !reads && !repeatable;
  return new ToolError(
    code,
    `${message}${answered}${reads ? '' : unknownEnd}`,
    {
      ...detail,
      httpStatus,
      ...(!reads && { mayBeDone: true }),
      ...(isLost && { retryable: false }),
    },
    cause,
  );
}

/**
 * What failed while it was read what a write has done, whose answer was the address of that (RFC 9110
 * section 15.4.4): the write may have been done, whatever is answered there.
 */
export function afterSeeOther(
  error: unknown,
  { reads, repeatable }: Pick<FailureContext, 'reads' | 'repeatable'>,
): unknown {
  if (reads || !(error instanceof ToolError)) return error;
  const { code, message, detail, cause } = error;
  const end = detail.mayBeDone ? '' : ', and may have been done';
  const told = `${message}; the request itself was answered 303${end}`;
  const isRetryable = repeatable && detail.retryable === true;
  return new ToolError(code, told, { ...detail, mayBeDone: true, retryable: isRetryable }, cause);
}

/** What is wrong with an answer of which not even the head can be used. */
function unreadAnswer(code: string, error: unknown): string | undefined {
  if (code === headTooLarge) return 'the head of its answer is too large';
  if (error instanceof Error && error.message === upgraded) return 'with another protocol';
  return code.startsWith('HPE_') || brokenHead.has(code) ? 'its answer is not HTTP' : undefined;
}

/**
 * An answer that had begun: whoever reads its status knows whether something was done. Of one that
 * says no, sending it once more is no better than of a whole one.
 */
function cutOff(
  error: CutOffAnswer,
  { provider, reads, repeatable, scrub }: ConnectionContext,
): ToolError {
  const { status, headers, bytes } = error.came;
  const announced = headerOf(headers, 'content-length');
  const of = announced === undefined || !/^\d{1,15}$/.test(announced) ? '' : ` of ${announced}`;
  const start = startOf(error.came);
  const details = start && scrub(start).slice(0, longestStart).trim();
  return new ToolError(
    'upstream_error',
    `${provider.title} answered ${status}, and the connection was cut after ${bytes}${of} bytes of the answer`,
    {
      provider: provider.id,
      httpStatus: status,
      retryable: repeatable && (status < 400 || status >= 500),
      ...(!reads && (status < 400 || status >= 500) && { mayBeDone: true }),
      ...(details && { details: { began: details }, untrusted: true }),
    },
    error,
  );
}

/** The beginning of an answer that is a text as it came. */
function startOf({ headers, start }: CameUntil): string | undefined {
  const type = mediaType(headers);
  const isText = isJsonType(type) || isXmlType(type) || type === 'text/plain';
  if (!isText || headerOf(headers, 'content-encoding') !== undefined) return undefined;
  return decodeText(start.subarray(0, scrubbedBytes), headers);
}

function reasonOf(code: string): string {
  if (code === 'REFUSED_ADDRESS') {
    return 'the address is not public; SERVICE_OUTBOUND_ALLOW does not name it';
  }
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED') return 'this server is stopping';
  if (/^(?:CERT|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME)/.test(code)) {
    return 'the certificate cannot be trusted';
  }
  return 'the connection failed';
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  // A host with several addresses fails with one error for each of them.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if ('code' in error && typeof error.code === 'string') return error.code;
  // What is no status line at all, undici gives no code.
  return error.name === 'HTTPParserError' ? 'HPE_INVALID' : '';
}
