import type { CallContext } from '#contract/caller';
import { InputRequired, MissingCapability } from '#contract/client';
import { ServiceError, ToolError, type ToolErrorCode, toolErrorCodes } from '#contract/errors';
import type { OfferedTools } from '#contract/house/offered-tools';
import { isObject, type Json } from '#contract/json';
import { untrustedKey } from '#contract/text/untrusted';
import type { ToolResult } from '#contract/tool';
import type { StepOutcome } from './run-state.ts';

type Args = Readonly<Record<string, unknown>>;

/** HTTP statuses that say the same as the errors of tools (RFC 9110 section 15). */
const statuses: Readonly<Partial<Record<ToolErrorCode, number>>> = {
  invalid_arguments: 400,
  missing_credential: 401,
  connection_required: 401,
  unauthorized: 401,
  payment_required: 402,
  forbidden: 403,
  confirmation_required: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  rate_limited_local: 429,
  upstream_timeout: 504,
};

/** What is no outcome of a step: it waits for somebody, or the whole call ends. */
export class StepInterrupted extends Error {
  override readonly name = 'StepInterrupted';
  override readonly cause: unknown;

  constructor(cause: unknown) {
    super('the step waits, or was stopped');
    this.cause = cause;
  }
}

/**
 * Call the tool of a step and say what came of it.
 *
 * @throws StepInterrupted where it waits for somebody, or was stopped before its end
 */
export async function callTool(
  tools: Pick<OfferedTools, 'call'>,
  name: string,
  args: Args,
  context: CallContext,
): Promise<StepOutcome> {
  try {
    const work = tools.call(name, args, context);
    if (work === undefined) {
      return failedOutcome('not_found', 404, `there is no tool ${name} here`);
    }
    return outcomeOf(await work);
  } catch (error) {
    if (context.signal.aborted) throw new StepInterrupted(context.signal.reason);
    return outcomeOfError(error);
  }
}

/** @throws StepInterrupted */
export function outcomeOfError(error: unknown): StepOutcome {
  const waits = error instanceof InputRequired || error instanceof MissingCapability;
  if (waits || error instanceof StepInterrupted) throw new StepInterrupted(error);
  if (error instanceof ToolError) {
    const { code, message, detail } = error;
    // It waits for a person who has been told where to agree.
    if (code === 'confirmation_required' && detail.approvalUrl !== undefined) {
      throw new StepInterrupted(error);
    }
    const status = detail.httpStatus ?? statuses[code] ?? 502;
    return failedOutcome(code, status, message, {
      untrusted: detail.untrusted === true,
      retryAfterMs: detail.retryAfterMs,
      isUnclear: isUnclear(code, detail.httpStatus),
    });
  }
  if (error instanceof ServiceError) {
    const { code, status, message, retryAfterMs } = error;
    return failedOutcome(code, status, message, { retryAfterMs });
  }
  throw error;
}

function outcomeOf(result: ToolResult): StepOutcome {
  const { content, structuredContent, isError, _meta } = result;
  const untrusted = _meta?.[untrustedKey] === true;
  if (isError !== true) {
    const body = (structuredContent ?? textOf(content)) as Json;
    return { ok: true, statusCode: 200, body, untrusted };
  }
  const error = isObject(structuredContent) ? structuredContent['error'] : undefined;
  const given = isObject(error) ? error : {};
  const code = toolErrorCodes.find((each) => each === given['code']) ?? 'upstream_error';
  const { message, http_status: httpStatus, retry_after_ms: retryAfterMs } = given;
  const status = typeof httpStatus === 'number' ? httpStatus : undefined;
  return failedOutcome(
    code,
    status ?? statuses[code] ?? 502,
    typeof message === 'string' ? message : textOf(content),
    {
      untrusted,
      retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined,
      isUnclear: isUnclear(code, status),
    },
  );
}

/** A request that may have arrived, and of which no answer did. */
function isUnclear(code: ToolErrorCode, httpStatus: number | undefined): boolean {
  if (code === 'upstream_timeout') return true;
  return code === 'upstream_error' && (httpStatus === undefined || httpStatus >= 500);
}

interface FailureFacts {
  readonly untrusted?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly isUnclear?: boolean;
}

function failedOutcome(
  code: string,
  statusCode: number,
  message: string,
  { untrusted = false, retryAfterMs, isUnclear: unclear = false }: FailureFacts = {},
): StepOutcome {
  return {
    ...{ ok: false, statusCode, untrusted },
    body: { error: { code, message } },
    failure: {
      ...{ code, message },
      ...(unclear && { isUnclear: true }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
  };
}

function textOf(content: ToolResult['content']): string {
  return content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
}
