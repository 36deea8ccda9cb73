import { randomUUID } from 'node:crypto';
import {
  type ClientCapabilities,
  InputRequired,
  lackedFor,
  MissingCapability,
} from '#contract/client';
import { ToolError } from '#contract/errors';
import type { ToolResult } from '#contract/tool';
import { toolErrorResult } from '../../outbound/answer/tool-error-result.ts';
import { failureOf } from '../outcome/tool-failure.ts';
import { codeOfStatus, errorCode } from '../wire/json-rpc.ts';
import type { RpcError } from '../wire/reply.ts';
import type { TaskEvent } from './task-state.ts';

/** A client gets a result in one piece, and gets it again each time that it asks. */
const mostResultCharacters = 1024 * 1024;
/** A tool that never has enough must not ask for ever. */
const mostRounds = 20;

type Ended = TaskEvent & { readonly kind: 'end' };

/** What a result of the tool does to its task. */
export function eventOfResult(result: ToolResult): Ended {
  const { length } = JSON.stringify(result);
  if (length <= mostResultCharacters) return endedWith(result);
  const text = `the result has ${length} characters, and a task keeps ${mostResultCharacters}`;
  return endedWith(toolErrorResult(new ToolError('response_too_large', text)));
}

/** What an error of the tool does to its task; `report` hears of what nobody foresaw. */
export function eventOfError(
  error: unknown,
  round: number,
  capabilities: ClientCapabilities,
  report: (error: unknown, errorId: string) => void,
): TaskEvent {
  if (error instanceof InputRequired) {
    return eventOfQuestion(error, round, capabilities) ?? unforeseen(error, report);
  }
  if (error instanceof MissingCapability) return lacking(error.required);
  const failure = failureOf(error);
  switch (failure?.kind) {
    case 'toolError':
      return endedWith(toolErrorResult(failure.error));
    case 'refused': {
      const { status, message } = failure.error;
      return failed({ code: codeOfStatus(status), message });
    }
    default:
      return unforeseen(error, report);
  }
}

/** The end of a task with a JSON-RPC error. */
export function failed(error: RpcError): Ended {
  return { kind: 'end', end: { kind: 'error', error } };
}

/** Nothing where nothing is asked, which nobody could answer. */
function eventOfQuestion(
  { requests, state, approval }: InputRequired,
  round: number,
  capabilities: ClientCapabilities,
): TaskEvent | undefined {
  const all = Object.values(requests);
  if (all.length === 0) return undefined;
  if (round >= mostRounds) {
    const message = `the tool has asked ${mostRounds} times and wants to know more`;
    return failed({ code: errorCode.internal, message });
  }
  for (const request of all) {
    const lacked = lackedFor(request, capabilities);
    if (lacked) return lacking(lacked);
  }
  return { kind: 'ask', requests, state, approval };
}

function lacking(requiredCapabilities: ClientCapabilities): Ended {
  const message = 'the client must declare a capability that this needs';
  return failed({ code: errorCode.missingCapability, message, data: { requiredCapabilities } });
}

function unforeseen(error: unknown, report: (error: unknown, errorId: string) => void): Ended {
  const errorId = randomUUID();
  report(error, errorId);
  return failed({ code: errorCode.internal, message: 'internal error', data: { errorId } });
}

function endedWith(result: ToolResult): Ended {
  return { kind: 'end', end: { kind: 'result', result } };
}
