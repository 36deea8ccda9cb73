import { isObject } from '#contract/json';
import type { Exchange } from '../mock/recorder.ts';
import type { Extent } from '../sample/sample-value.ts';
import { lostArguments } from './lost-arguments.ts';
import type { Accepts } from './schemas.ts';
import { separator } from './separator.ts';
import { type Described, faultOf } from './set-aside.ts';

export type Outcome = 'accepted' | 'refused by us' | 'refused by document' | 'set aside';

/** What became of one call. */
export interface Judged {
  readonly tool: string;
  readonly extent: Extent;
  readonly args: Readonly<Record<string, unknown>>;
  readonly outcome: Outcome;
  /** Why it was refused, or the id of the fault that sets it aside. */
  readonly reason?: string;
  /** `GET /things?limit=1`, as it arrived. */
  readonly request?: string;
  /** Given values that did not arrive. */
  readonly lost: readonly string[];
  /** What is wrong with the result of a call that was accepted. */
  readonly answer?: AnswerFault;
}

/** What is wrong with a result. */
export interface AnswerFault {
  readonly kind: 'client refuses' | 'marked' | 'no result';
  readonly reason: string;
  /** Whether the document itself describes the answer of the mock so. */
  readonly isRight: boolean;
}

/** The result of `tools/call`, as far as it is judged. */
export interface CallResult {
  readonly isError?: boolean | undefined;
  readonly content?: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly _meta?: unknown;
}

interface Call {
  readonly tool: string;
  readonly extent: Extent;
  readonly args: Readonly<Record<string, unknown>>;
}

const markKey = 'dev.agent-tool-server/not-as-described';

/** Judge a call by what came back and by what passed meanwhile. */
export function judge(
  call: Call,
  result: CallResult,
  {
    exchanges,
    document,
    fits,
  }: {
    readonly exchanges: readonly Exchange[];
    readonly document: Described;
    readonly fits?: Accepts | undefined;
  },
): Judged {
  const exchange = exchanges[0];
  if (!exchange) return { ...call, outcome: 'refused by us', reason: errorText(result), lost: [] };
  const request = `${exchange.method} ${exchange.url}`;
  const objection = objectionTo(exchange);
  if (objection !== undefined) {
    const fault = faultOf(exchange, objection, document);
    const outcome = fault ? 'set aside' : 'refused by document';
    return { ...call, outcome, reason: fault?.id ?? objection, request, lost: [] };
  }
  const answer = answerFault(result, exchange, fits);
  const lost = lostArguments(call.args, exchange);
  return { ...call, outcome: 'accepted', request, lost, ...(answer && { answer }) };
}

/** Why a request is none that the document describes, if it is none. */
export function objectionTo({ problem, violations, status }: Exchange): string | undefined {
  const own = violations.filter(({ location }) => location.startsWith('request'));
  const found = own.map(({ location, code, message }) => `${location} ${code}: ${message}`);
  if (found.length > 0) return found.slice(0, 3).join(separator);
  if (problem !== undefined) return problem;
  return status >= 400 ? `status ${status}` : undefined;
}

function answerFault(
  result: CallResult,
  exchange: Exchange,
  fits: Accepts | undefined,
): AnswerFault | undefined {
  const isRight = exchange.violations.every(({ location }) => !location.startsWith('response'));
  if (result.isError === true) return { kind: 'no result', reason: errorText(result), isRight };
  const marks = isObject(result._meta) ? result._meta[markKey] : undefined;
  const { structuredContent } = result;
  if (fits) {
    const reason =
      structuredContent === undefined ? 'no structured content' : fits(structuredContent);
    if (reason !== undefined) return { kind: 'client refuses', reason, isRight };
  }
  return marks === undefined
    ? undefined
    : { kind: 'marked', reason: JSON.stringify(marks), isRight };
}

/** What a failed result says: our own error data, or the text. */
function errorText({ structuredContent, content }: CallResult): string {
  const error = isObject(structuredContent) ? structuredContent['error'] : undefined;
  if (isObject(error))
    return `${error['code']}: ${error['message']} ${JSON.stringify(error['details'] ?? '')}`;
  const [first] = content ?? [];
  return isObject(first) ? String(first['text']).slice(0, 300) : 'no content';
}
