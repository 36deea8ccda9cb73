import type { CallContext } from '#contract/caller';
import { authorOf } from '#contract/house/audit-events';
import type { PaymentClaimedPayload } from '../../../../generated/surfaces/commerce/events.ts';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';

/** What the audit log says of a payment: all that stands on the chain, and nothing secret. */
export function payloadOf(row: PaymentRow): PaymentClaimedPayload {
  const { id, rail, network, asset, amount, payer, operation, digest, challenge, charged } = row;
  return {
    ...{ claim_id: id, rail, network, asset, amount, payer, resource: operation },
    request_digest: digest,
    ...(challenge && { challenge_id: challenge }),
    ...(charged && { charged }),
  };
}

/** The same with who has paid. */
export function eventFacts(
  row: PaymentRow,
  { caller, callId }: CallContext,
  more: Pick<PaymentClaimedPayload, 'transaction' | 'error'> = {},
) {
  return {
    ...authorOf(caller),
    correlation_id: callId,
    payload: { ...payloadOf(row), ...more },
  };
}

/** The same where nobody asks for it: the server itself found it out. */
export function factsOf(
  row: PaymentRow,
  more: Pick<PaymentClaimedPayload, 'transaction' | 'error'> = {},
) {
  const { tenant, subject } = row;
  const actor = { type: 'system', id: 'payments' } as const;
  return { tenant, actor, subject, payload: { ...payloadOf(row), ...more } };
}
