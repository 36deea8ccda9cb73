import { ServiceError, ToolError, type ToolErrorCode } from '#contract/errors';
import { headersOf, retryAfterOf } from '../admission/challenge.ts';
import { STATUS_CODES } from '../process/node-http.ts';

export const problemType = 'application/problem+json';

/** An error as HTTP clients read it (RFC 9457). */
export interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: object;
}

/** What a failed tool means where no tool was asked for. */
const toolStatus: Readonly<Record<ToolErrorCode, number>> = {
  invalid_arguments: 400,
  missing_credential: 502,
  connection_required: 403,
  unauthorized: 502,
  forbidden: 502,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  rate_limited_local: 429,
  upstream_error: 502,
  upstream_timeout: 504,
  response_too_large: 502,
  payment_required: 402,
  confirmation_required: 403,
  script_failed: 400,
};

/** What a client did wrong where the framework alone saw it. */
const frameworkRefusals: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL:
    'the path must be percent-encoded UTF-8, but a % in it does not begin such a character',
  FST_ERR_MAX_PARAM_LENGTH: 'a part of the path is longer than this server takes',
};

/** The codes of what the framework refuses, by status. */
const codes: Readonly<Record<number, string>> = {
  404: 'not_found',
  413: 'body_too_large',
  414: 'path_too_long',
  415: 'unsupported_media_type',
};

/** Describe a failure; of one that nobody foresaw the caller learns only that it happened. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ServiceError) {
    const { status, code, message, detail } = error;
    return problem(status, message, { ...detail, code }, headersOf(error));
  }
  if (error instanceof ToolError) {
    const { code, message, detail } = error;
    const wait = detail.retryAfterMs;
    const headers = wait === undefined ? {} : { 'retry-after': retryAfterOf(wait) };
    const { connectUrl: connect_url, claimUrl: claim_url } = detail;
    return problem(toolStatus[code], message, { code, connect_url, claim_url }, headers);
  }
  const status = clientErrorStatus(error);
  return status === undefined
    ? problem(500, 'an error inside of this server')
    : problem(status, ...toldOf(status, error));
}

/** What the HTTP framework finds wrong, in our words: its own may repeat what came. */
function toldOf(status: number, error: unknown): [detail: string, members: object] {
  const { code = '', message } = error as Error & { readonly code?: unknown };
  const known = frameworkRefusals[String(code)];
  return [known ?? message, { code: codes[status] ?? 'invalid_request' }];
}

/** Describe a request that is not carried out. */
export function problem(
  status: number,
  detail: string,
  members: object = {},
  headers: Problem['headers'] = {},
): Problem {
  const title = STATUS_CODES[status];
  return { status, headers, members: { ...members, title, status, detail } };
}

/** The status of an error that the HTTP framework found in the request. */
function clientErrorStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
    ? statusCode
    : undefined;
}
