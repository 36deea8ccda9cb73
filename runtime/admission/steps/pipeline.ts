import type { Operation } from '#contract/operation';
import type { Run, Step } from '#contract/surface/admission-parts';
import { StartError } from '../../process/start-error.ts';

export type { Input, Run, Step } from '#contract/surface/admission-parts';

/** The stages of admission in their order. Authentication comes first, at the door. */
const order = [
  'authorize',
  'rateLimit',
  'validate',
  'requireKey',
  'confirm',
  'ask',
  'defer',
  'idempotency',
  'act',
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

function demands(operation: Operation): readonly (readonly [StepName, string])[] {
  const { audit, confirm, idempotency, price } = operation;
  const demanded: (readonly [StepName, string])[] = [];
  if (confirm) demanded.push(['confirm', confirmation[confirm]]);
  if (idempotency) {
    demanded.push(['idempotency', `a call with a key may not be done twice (${idempotency})`]);
  }
  if (audit) demanded.push(['audit', `its calls have to be audited (${audit})`]);
  if (price) demanded.push(['payment', `it costs ${price.amount} ${price.currency}`]);
  return demanded;
}

const confirmation = {
  elicitation: 'a person has to confirm it',
  token: 'its caller has to confirm it with a token',
} as const;
