import type { Operation } from '#contract/operation';
import type { Run } from './pipeline.ts';

/** Let the operation ask what it has to know before anything is done, paid or written down. */
export function askFirst<Result>({ ask }: Operation, next: Run<Result>): Run<Result> {
  if (!ask) return next;
  return async (input, context) => {
    // Whatever had to be asked was answered before there was a task.
    if (context.inTask) return next(input, context);
    await ask(input, context);
    return next(input, context);
  };
}
