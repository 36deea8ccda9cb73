import { randomUUID } from 'node:crypto';
import type { PaymentRow } from '../../../generated/surfaces/commerce/tables.ts';

/** A payment as it is claimed; what is not said is as in most of them. */
export function paymentRow(some: Partial<PaymentRow> = {}): PaymentRow {
  return {
    ...{ tenant: 'default', id: randomUUID(), claim: randomUUID(), rail: 'x402' },
    ...{ state: 'claimed', flow: 'settle-first', operation: 'GET /api/v1', digest: 'd' },
    ...{
      subject: 'agent-1',
      network: 'eip155:84532',
      amount: '10000',
      payer: `0x${'1'.repeat(40)}`,
    },
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    ...{ pay_to: `0x${'2'.repeat(40)}`, valid_before: 1_800_000_000_000, challenge: '' },
    ...{
      charged: '',
      transaction_hash: '',
      refund_hash: '',
      fault: '',
      method: 'eip3009',
      confirmations: 0,
    },
    ...{ settled_entry: null, held: '[]' },
    ...{ created_at: 1_700_000_000_000, changed_at: 1_700_000_000_000 },
    ...some,
  };
}
