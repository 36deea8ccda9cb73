import { type Metrics, type ObserveOperation, otherTool } from '../../observe/metrics.ts';
import { errorCode, type Params } from '../wire/json-rpc.ts';
import type { Outcome } from './outcome.ts';

/** The observers of methods and tools, each made once and only for names that exist. */
export class OperationObservers {
  readonly #metrics: Metrics;
  readonly #isTool: (name: string) => boolean;
  readonly #methods = new Map<string, ObserveOperation>();
  readonly #tools = new Map<string, ObserveOperation>();

  constructor(metrics: Metrics, isTool: (name: string) => boolean) {
    this.#metrics = metrics;
    this.#isTool = isTool;
  }

  /** The observer of a method that a revision has, of one tool where it is a tool that is called. */
  of(method: string, params: Params): ObserveOperation {
    if (method !== 'tools/call') return this.#made(this.#methods, method, undefined);
    const name = typeof params['name'] === 'string' ? params['name'] : '';
    return (
      this.#tools.get(name) ??
      this.#made(this.#tools, method, this.#isTool(name) ? name : otherTool)
    );
  }

  #made(
    made: Map<string, ObserveOperation>,
    method: string,
    tool: string | undefined,
  ): ObserveOperation {
    const key = tool ?? method;
    const known = made.get(key);
    if (known) return known;
    const observer = this.#metrics.mcpOperation(method, tool);
    made.set(key, observer);
    return observer;
  }
}

/** What went wrong, in the terms of the metric; nothing after a success. */
export function errorTypeOf(outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case 'toolError':
      return 'tool_error';
    case 'toolResult':
      return outcome.result.isError ? 'tool_error' : undefined;
    case 'rejected':
      return String(outcome.code);
    case 'mismatch':
      return String(errorCode.headerMismatch);
    case 'missingCapability':
      return String(errorCode.missingCapability);
    case 'noResource':
      return String(errorCode.invalidParams);
    case 'refused':
      return outcome.error.code;
    default:
      return undefined;
  }
}
