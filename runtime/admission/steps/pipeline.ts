import type { CallContext } from '#contract/caller';
import type { Operation } from '#contract/operation';
import { StartError } from '../../process/start-error.ts';

/** What an operation is called with, before and after validation. */
export type Input = Readonly<Record<string, unknown>>;

/** An operation that can be run: a handler, or a handler with steps in front of it. */
export type Run<Result> = (input: Input, context: CallContext) => Promise<Result>;

/**
 * One stage of admission. It wraps what comes after it, or gives `next` back where the operation
 * does not need it: a step that an operation does not use is not there when the operation runs.
 */
export type Step = <Result>(operation: Operation, next: Run<Result>) => Run<Result>;

/** The stages of admission in their order. Authentication comes first, at the door. */
const order = [
  'authorize',
  'rateLimit',
  'validate',
  'confirm',
  'ask',
  'defer',
  'idempotency',
  'payment',
  'audit',
] as const;

export type StepName = (typeof order)[number];

export type Steps = Readonly<Partial<Record<StepName, Step>>>;

/**
 * Put the steps that exist in front of `handler`, in their order.
 *
 * @throws StartError when the operation demands a step that does not exist
 */
export function assemble<Result>(
  steps: Steps,
  operation: Operation,
  handler: Run<Result>,
): Run<Result> {
  for (const [name, demand] of demands(operation)) {
    if (steps[name]) continue;
    throw new StartError(
      `${operation.name} cannot be offered: ${demand}, but nothing here does that`,
    );
  }
  return order.reduceRight<Run<Result>>(
    (next, name) => steps[name]?.(operation, next) ?? next,
    handler,
  );
}

function demands({ audit, confirm, price }: Operation): readonly (readonly [StepName, string])[] {
  const demanded: (readonly [StepName, string])[] = [];
  if (confirm) demanded.push(['confirm', `a person has to confirm it (${confirm})`]);
  if (audit) demanded.push(['audit', `its calls have to be audited (${audit})`]);
  if (price) demanded.push(['payment', `it costs ${price.amount} ${price.currency}`]);
  return demanded;
}
