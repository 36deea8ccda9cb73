import type { JsonObject } from './json.ts';

/** A failure of an operation that its caller should hear about, in HTTP terms (RFC 9457). */
export class ServiceError extends Error {
  readonly code: string;
  /** HTTP status code. */
  readonly status: number;
  readonly detail: JsonObject;
  /** Milliseconds after which the same request may succeed. */
  readonly retryAfterMs: number | undefined;
  /** It does not pass by itself: somebody has to act before the same request can succeed. */
  readonly isLasting: boolean;
  /** What its HTTP answer says besides, such as how to prove who one is (`www-authenticate`). */
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(
    code: string,
    status: number,
    message: string,
    options: {
      detail?: JsonObject;
      retryAfterMs?: number;
      isLasting?: boolean;
      headers?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = status;
    this.detail = options.detail ?? {};
    this.retryAfterMs = options.retryAfterMs;
    this.headers = options.headers;
    this.isLasting = options.isLasting ?? status < 500;
  }
}

export const toolErrorCodes = [
  'invalid_arguments',
  'missing_credential',
  'connection_required',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'rate_limited',
  'rate_limited_local',
  'upstream_error',
  'upstream_timeout',
  'response_too_large',
  'payment_required',
  'confirmation_required',
  'script_failed',
] as const;

export type ToolErrorCode = (typeof toolErrorCodes)[number];

/** What a tool error tells the model besides its message. */
export interface ToolErrorDetail {
  readonly provider?: string | undefined;
  readonly httpStatus?: number | undefined;
  readonly retryable?: boolean | undefined;
  /** More than a question was asked, and nobody knows whether it was done. */
  readonly mayBeDone?: boolean | undefined;
  readonly retryAfterMs?: number | undefined;
  /** What the vendor asked for, where that is more than anybody should be told to wait. */
  readonly askedToWaitMs?: number | undefined;
  readonly upstreamCode?: string | undefined;
  /** What the vendor said of its own accord, third-party text. */
  readonly details?: unknown;
  /** The message or the details are third-party text: a model reads them as marked data. */
  readonly untrusted?: boolean | undefined;
  readonly docs?: string | undefined;
  /** What somebody can do about it, in words of this server: nothing of it is third-party text. */
  readonly advice?: string | undefined;
  /** Where a person can agree to what was refused. */
  readonly approvalUrl?: string | undefined;
  /** Where an agent asks for a person who stands behind it. */
  readonly claimUrl?: string | undefined;
  /** Where a person connects their account at the vendor. */
  readonly connectUrl?: string | undefined;
  /** With it, the same call is done. */
  readonly confirmToken?: string | undefined;
}

/** A tool that failed in a way the model can act on: a result with `isError`, not a protocol error. */
export class ToolError extends Error {
  readonly code: ToolErrorCode;
  readonly detail: ToolErrorDetail;

  constructor(code: ToolErrorCode, message: string, detail: ToolErrorDetail = {}, cause?: unknown) {
    super(message, { cause });
    this.name = 'ToolError';
    this.code = code;
    this.detail = detail;
  }
}
