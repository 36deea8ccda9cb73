import type { OperationDemands, Price } from '../operation.ts';
import type { ToolAnnotations } from '../tool.ts';

/** What a call of a tool does to what is there. */
export type Effect = 'reads' | 'adds' | 'overwrites or deletes';

/** Say what a tool does; one that says nothing may destroy (MCP 2026-07-28, ToolAnnotations). */
export function effectOf({ readOnlyHint, destructiveHint }: ToolAnnotations): Effect {
  if (readOnlyHint) return 'reads';
  return destructiveHint === false ? 'adds' : 'overwrites or deletes';
}

/** Say what an operation demands of a call besides scopes, one sentence for each demand. */
export function furtherDemands(operation: Omit<OperationDemands, 'access'>): string[] {
  const { limit, price, idempotency, confirm, audit, task } = operation;
  return [
    limit &&
      `At most ${limit.requests} calls in ${limit.perMs / 1000} s per ${limit.by ?? 'caller'}.`,
    price && costText(price),
    idempotency && idempotencyText[idempotency],
    confirm && confirmText[confirm],
    audit && `Audited: ${audit}.`,
    task && taskText[task],
  ].filter((text) => text !== undefined);
}

/** Say what one use costs. */
export function costText({ amount, currency, metered }: Price): string {
  if (metered === undefined) return `Costs ${amount} ${currency}.`;
  const { amount: unit, each } = metered;
  const what = each === 'kilobyte' ? 'each kilobyte of the answer' : `each item of ${each}`;
  return `Costs ${unit} ${currency} for ${what}, at most ${amount} ${currency}.`;
}

const idempotencyText = {
  optional: 'May bring an idempotency key.',
  required: 'Must bring an idempotency key.',
} as const;

const confirmText = {
  elicitation: 'A person has to agree to each call.',
  token: 'Has to be repeated with the token that the first answer gives.',
} as const;

const taskText = {
  optional: 'May go on as a task.',
  required: 'Goes on as a task: the client must know the Tasks extension.',
} as const;
