import { OutboundError } from '#contract/house/outbound';
import { valueAt } from '#contract/json';
import type { TelemetryError, TelemetryFault } from '#contract/telemetry/kind';
import { FailedAnswer, UnusableAnswer } from './rows.ts';
import { saidByBackEnd } from './said-by-back-end.ts';

/** Why a provider gave nothing, for the caller to read. */
export interface ProviderFailure {
  readonly code: TelemetryFault;
  readonly httpStatus?: number;
  readonly message: string;
}

const longestMessage = 300;

const byStatus: Readonly<Record<number, TelemetryFault>> = {
  400: 'invalid_query',
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not_found',
  408: 'timeout',
  413: 'too_large',
  422: 'invalid_query',
  429: 'rate_limited',
  504: 'timeout',
};

const words: Readonly<Record<TelemetryFault, string>> = {
  invalid_query: 'the back end does not understand the query',
  unauthorized: 'the back end refuses the credential of this provider',
  not_found: 'the back end has nothing at this address',
  rate_limited: 'the back end takes no more queries now',
  too_large: 'the query reads or returns more than the back end allows',
  timeout: 'the back end ran out of time',
  unavailable: 'the back end failed',
  unusable_answer: 'the back end answered something else than telemetry',
};

/**
 * Say what an answer means that is none. Of its text only what is wrong with a query is repeated,
 * without secrets: the text of a failure may hold anything.
 */
export function failureOf(
  status: number,
  body: Uint8Array,
  rules: readonly TelemetryError[],
): ProviderFailure {
  if (status < 400) {
    const message = `it answered ${status}, which leads elsewhere and is not followed`;
    return { code: 'unusable_answer', httpStatus: status, message };
  }
  const rule = rules.find((each) => each.status === status);
  const code = rule?.code ?? byStatus[status] ?? 'unavailable';
  const said = code === 'invalid_query' ? saidOf(body, rule) : undefined;
  const message = said === undefined ? words[code] : `${words[code]}: ${said}`;
  return { code, httpStatus: status, message: `${message} (status ${status})` };
}

function saidOf(body: Uint8Array, rule: TelemetryError | undefined): string | undefined {
  const text = Buffer.from(body.subarray(0, 65_536)).toString('utf8').trim();
  const said = rule?.message ? messageIn(text, rule) : text;
  if (said === undefined || said === '' || /^\s*</.test(said)) return undefined;
  return saidByBackEnd(said, longestMessage);
}

function messageIn(text: string, { message = [] }: TelemetryError): string | undefined {
  try {
    const found = valueAt(JSON.parse(text), message);
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}

const byFault: Readonly<Record<OutboundError['fault'], TelemetryFault>> = {
  refused: 'unavailable',
  unreachable: 'unavailable',
  timeout: 'timeout',
  too_large: 'too_large',
  busy: 'rate_limited',
  no_credential: 'unauthorized',
  tls_file: 'unavailable',
  unusable: 'unusable_answer',
};

/** In our own words; what a file of TLS is missing is said in the message. */
const connectionWords: Readonly<Record<Exclude<OutboundError['fault'], 'tls_file'>, string>> = {
  refused: 'its address is refused',
  unreachable: 'it cannot be reached',
  timeout: 'it did not answer in time',
  too_large: 'its answer is larger than this server takes',
  busy: 'too much is asked of it already',
  no_credential: 'this server has no credential for it that can be used',
  unusable: 'its answer cannot be used',
};

/** Say why no answer came; what is no such failure is thrown again. */
export function connectionFailure(error: unknown): ProviderFailure {
  if (error instanceof FailedAnswer) return { code: 'unavailable', message: error.message };
  if (error instanceof UnusableAnswer) {
    return { code: 'unusable_answer', message: `${words.unusable_answer}: ${error.message}` };
  }
  if (error instanceof OutboundError) {
    const { fault, message } = error;
    return {
      code: byFault[fault],
      message: fault === 'tls_file' ? message : connectionWords[fault],
    };
  }
  throw error;
}
