import type { CallContext } from '#contract/caller';
import { InputRequired, MissingCapability } from '#contract/client';
import { isObject } from '#contract/json';
import type { Operation } from '#contract/operation';
import type { Input, Run, Step } from '../steps/pipeline.ts';
import type { ApprovedActs } from './approved-acts.ts';
import { callDigest } from './call-digest.ts';

/** Write down what becomes of calls that had to be confirmed, from before they begin. */
export function rememberActs(acts: Pick<ApprovedActs, 'begin' | 'end'>): Step {
  return <Result>(operation: Operation, next: Run<Result>): Run<Result> => {
    const { confirm, name } = operation;
    if (confirm === undefined) return next;
    return async (input: Input, context: CallContext) => {
      const { caller, callId } = context;
      // A command at a terminal has no store: another process may be using it.
      if (caller.transport === 'cli') return next(input, context);
      const call = { caller, callId, operation: name, digest: callDigest(name, input, caller) };
      context.actId = await acts.begin(call);
      try {
        const result = await next(input, context);
        await acts.end(call, failureIn(result));
        return result;
      } catch (error) {
        await acts.end(call, answerOf(error));
        throw error;
      }
    };
  };
}

/** What a tool says that failed without an error (MCP 2026-07-28, tool execution errors). */
function failureIn(result: unknown): string | undefined {
  if (!isObject(result) || result['isError'] !== true) return undefined;
  const { content } = result;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return isObject(first) && typeof first['text'] === 'string' ? first['text'] : 'no reason given';
}

function answerOf(error: unknown): string {
  if (error instanceof InputRequired) return 'it asked for more before it went on';
  if (error instanceof MissingCapability) return error.message;
  return error instanceof Error ? error.message : 'an error inside of this server';
}
