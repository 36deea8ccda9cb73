import type { Logger } from 'pino';
import type { CallContext } from '#contract/caller';
import { InputRequired, MissingCapability } from '#contract/client';
import type { ToolResult } from '#contract/tool';
import type { Input } from '../../admission/steps/pipeline.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { Catalogue } from '../../offer/catalogue.ts';
import { errorTypeOf, OperationObservers } from '../outcome/operation-observers.ts';
import { failureOf } from '../outcome/tool-failure.ts';
import { Deferred } from '../tasks/tasks.ts';

export interface InnerCallsParts {
  readonly catalogue: Catalogue;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/**
 * Runs tools for another tool. Each goes through its own admission, with its own scopes, limits and
 * audit record, and is measured under its own name; what it throws goes on to the client.
 */
export class InnerCalls {
  readonly #parts: InnerCallsParts;
  readonly #observers: OperationObservers;

  constructor(parts: InnerCallsParts) {
    const { catalogue, metrics } = parts;
    this.#parts = parts;
    this.#observers = new OperationObservers(metrics, (name) => catalogue.has(name));
  }

  /** Run the tool called `name`; nothing when there is none, or when it leads to other tools itself. */
  call(name: string, args: Input, context: CallContext): Promise<ToolResult> | undefined {
    const { catalogue } = this.#parts;
    const leads = catalogue.front?.tools.some(([each]) => each === name);
    const tool = leads ? undefined : catalogue.find(name, context.caller.tenant);
    return tool && this.#observed(name, async () => (await tool).run(args, context));
  }

  async #observed(name: string, run: () => Promise<ToolResult>): Promise<ToolResult> {
    const started = performance.now();
    let errorType: string | undefined;
    try {
      const result = await run();
      errorType = errorTypeOf({ kind: 'toolResult', result });
      return result;
    } catch (error) {
      errorType = errorTypeOfThrown(error);
      throw error;
    } finally {
      const seconds = (performance.now() - started) / 1000;
      this.#observers.of('tools/call', { name })('', seconds, errorType);
      this.#parts.log.debug({ name, seconds, errorType }, 'called for another tool');
    }
  }
}

function errorTypeOfThrown(error: unknown): string | undefined {
  if (error instanceof InputRequired || error instanceof Deferred) return undefined;
  if (error instanceof MissingCapability) {
    return errorTypeOf({ kind: 'missingCapability', required: error.required });
  }
  const failure = failureOf(error);
  return failure ? errorTypeOf(failure) : 'internal';
}
