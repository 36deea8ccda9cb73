import type { OperationDemands } from '#contract/operation';
import { joined, numeral, type Printed, plain, printed } from '../print/printed.ts';
import { code } from './markdown.ts';

/** Everything that an operation demands of a call, in words. */
export function demandsInWords(operation: OperationDemands): Printed[] {
  const { access } = operation;
  const first =
    access === 'public' ? printed`Public.` : printed`Needs ${joined(access.map(code), ' and ')}.`;
  return [first, ...furtherDemands(operation)];
}

/** What it demands besides scopes. */
export function furtherDemands(operation: Omit<OperationDemands, 'access'>): Printed[] {
  const { limit, price, idempotency, confirm, audit, task } = operation;
  return [
    limit &&
      printed`At most ${numeral(limit.requests)} calls in ${numeral(limit.perMs / 1000)} s per ${plain(limit.by ?? 'caller')}.`,
    price && printed`Costs ${plain(price.amount)} ${plain(price.currency)}.`,
    idempotency && idempotencyText[idempotency],
    confirm && confirmText[confirm],
    audit && printed`Audited: ${plain(audit)}.`,
    task && taskText[task],
  ].filter((text) => text !== undefined);
}

const idempotencyText = {
  optional: printed`May bring an idempotency key.`,
  required: printed`Must bring an idempotency key.`,
} as const;

const confirmText = {
  elicitation: printed`A person has to agree to each call.`,
  token: printed`Has to be repeated with the token that the first answer gives.`,
} as const;

const taskText = {
  optional: printed`May go on as a task.`,
  required: printed`Goes on as a task: the client must know the Tasks extension.`,
} as const;
