import { ServiceError, ToolError, type ToolErrorCode } from '#contract/errors';
import { isObject } from '#contract/json';
import type { Call } from '../../admission/call.ts';
import type { Input } from '../../admission/pipeline.ts';
import type { RunningCalls } from '../../admission/running-calls.ts';
import type { Catalogue } from '../../catalogue.ts';
import { nearestName } from '../../nearest-name.ts';
import { errorCode, type Params } from '../json-rpc.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Method } from './method.ts';

const noArguments: Input = {};

/** Statuses that speak of the caller and not of the tool. */
const refusals = new Set([401, 403, 429]);

/** Run one tool. */
export function toolsCall(catalogue: Catalogue, running: RunningCalls): Method {
  return {
    subject: 'name',
    check({ name, arguments: args }) {
      if (typeof name !== 'string') return '"name" must be a string';
      return args === undefined || isObject(args) ? undefined : '"arguments" must be an object';
    },
    async run(params: Params, call: Call): Promise<Outcome> {
      const name = String(params['name']);
      const found = catalogue.find(name);
      if (!found) return unknownTool(name, catalogue.names);
      try {
        const tool = found instanceof Promise ? await found : found;
        const args = (params['arguments'] ?? noArguments) as Input;
        return { kind: 'toolResult', result: await running.settle(call, tool.run(args, call)) };
      } catch (error) {
        return outcomeOf(error);
      }
    },
  };
}

function unknownTool(name: string, names: Iterable<string>): Outcome {
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
  return rejected(
    errorCode.invalidParams,
    `there is no tool called ${JSON.stringify(name.slice(0, 128))}${hint}`,
  );
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ToolError) return { kind: 'toolError', error };
  if (!(error instanceof ServiceError)) throw error;
  if (refusals.has(error.status)) return { kind: 'refused', error };
  const { code, message, status, retryAfterMs, isLasting } = error;
  // Ours are known by their codes; below 500 the code of the tool says enough.
  const detail = {
    retryable: !isLasting,
    retryAfterMs,
    ...(status >= 500 && { upstreamCode: code }),
  };
  return { kind: 'toolError', error: new ToolError(toolCodeOf(status), message, detail, error) };
}

function toolCodeOf(status: number): ToolErrorCode {
  switch (status) {
    case 404:
      return 'not_found';
    case 409:
      return 'conflict';
    default:
      return status < 500 ? 'invalid_arguments' : 'upstream_error';
  }
}
