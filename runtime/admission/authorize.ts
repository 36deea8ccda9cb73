import { ServiceError } from '#contract/errors';
import type { Operation } from '#contract/operation';
import type { Run } from './pipeline.ts';

/** Let only callers through that hold every scope of the operation. */
export function authorize<Result>({ name, access }: Operation, next: Run<Result>): Run<Result> {
  if (access === 'public' || access.length === 0) return next;
  return (input, context) => {
    const { scopes } = context.caller;
    if (scopes === 'all' || access.every((scope) => scopes.has(scope))) return next(input, context);
    throw new ServiceError('insufficient_scope', 403, `${name} needs ${access.join(' and ')}`, {
      detail: { scope: access.join(' ') },
    });
  };
}
