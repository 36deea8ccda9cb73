import { MissingCapability } from '#contract/client';
import type { Operation } from '#contract/operation';
import type { Run } from './pipeline.ts';

/** Identifier of the Tasks extension (SEP-2663). */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Leave work to a task where the client can wait for one; what must be a task needs such a client. */
export function deferWork<Result>(operation: Operation, next: Run<Result>): Run<Result> {
  const { task } = operation;
  if (task === undefined) return next;
  return async (input, context) => {
    if (context.inTask) return next(input, context);
    if (context.defer) return context.defer(operation, input);
    // Whoever sits at a terminal waits.
    if (task === 'optional' || context.caller.transport === 'cli') return next(input, context);
    throw new MissingCapability({ extensions: { [tasksExtension]: {} } });
  };
}
