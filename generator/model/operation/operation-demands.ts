import { parseDuration } from '#contract/config/switch';
import type { Access, OperationDemands } from '#contract/operation';
import { planPrice, type RawPrice } from '#contract/payment/price';

/** What specs say an operation demands, as specs/schemas/operation.schema.json allows it. */
export interface RawDemands {
  readonly limit?: {
    readonly requests: number;
    readonly per: string;
    readonly by?: 'caller' | 'address' | 'client' | 'path';
  };
  readonly price?: RawPrice;
  readonly idempotency?: 'none' | 'optional' | 'required';
  readonly resumes?: boolean;
  readonly confirm?: 'none' | 'elicitation' | 'token';
  readonly audit?: 'none' | 'outcome' | 'intent';
  readonly task?: 'none' | 'optional' | 'required';
}

/** What an operation demands, in the terms of admission; what it does not demand is not there. */
export function planDemands(raw: RawDemands, access: Access): OperationDemands {
  const { limit, price, idempotency, resumes, confirm, audit, task } = raw;
  return {
    access,
    ...(limit && { limit: planLimit(limit) }),
    ...(price && { price: planPrice(price) }),
    ...(idempotency && idempotency !== 'none' && { idempotency }),
    ...(resumes && { resumes }),
    ...(confirm && confirm !== 'none' && { confirm }),
    ...(audit && audit !== 'none' && { audit }),
    ...(task && task !== 'none' && { task }),
  };
}

function planLimit({ requests, per, by }: NonNullable<RawDemands['limit']>) {
  // The JSON Schema has checked the form of the duration.
  const perMs = parseDuration(per) ?? 1;
  return { requests, perMs, ...(by && by !== 'caller' && { by }) };
}

/** The same, alone and in one order, out of what has more to say. */
export function demandsOf(operation: OperationDemands): OperationDemands {
  const { access, limit, price, idempotency, resumes, confirm, audit, task } = operation;
  return {
    access,
    ...(limit && { limit }),
    ...(price && { price }),
    ...(idempotency && { idempotency }),
    ...(resumes && { resumes }),
    ...(confirm && { confirm }),
    ...(audit && { audit }),
    ...(task && { task }),
  };
}
