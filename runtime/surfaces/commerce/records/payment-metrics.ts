import type { Gauge, SurfaceMetrics } from '#contract/house/metrics';
import type {
  LedgerTransferRow,
  PaymentRow,
} from '../../../../generated/surfaces/commerce/tables.ts';
import type { UnitOf } from '../offers/unit.ts';
import type { PaymentRecords } from './payment-records.ts';

/** What counts payments. */
export interface PaymentMetrics {
  /** Somebody was told how to pay. */
  readonly onChallenge: () => void;
  /** A payment has reached a state, and money perhaps another account. */
  readonly onMove: (row: PaymentRow, transfer: LedgerTransferRow | undefined) => void;
}

/** States that end something, or that somebody has to look after. */
const told: ReadonlySet<PaymentRow['state']> = new Set([
  ...(['pending', 'delivered', 'rejected', 'failed', 'refund_due', 'refunded'] as const),
]);

/** Count what becomes of payments in this process. */
export function createPaymentMetrics(
  metrics: Pick<SurfaceMetrics, 'counter' | 'counters'>,
  unitOf: UnitOf,
): PaymentMetrics {
  const challenged = metrics.counter({
    name: 'payments_challenged_total',
    help: 'Answers that said how to pay.',
  });
  const reached = metrics.counters({
    name: 'payments_total',
    help: 'Payments that have reached a state, by rail.',
  });
  const amounts = metrics.counters({
    name: 'payments_amount_total',
    help: 'Money that has come in or gone back, in whole units of its asset, by rail.',
  });
  return {
    onChallenge: () => challenged(),
    onMove({ rail, state }, transfer) {
      if (told.has(state)) reached({ rail, state });
      const way = transfer && wayOf(transfer);
      if (transfer === undefined || way === undefined) return;
      const { asset, amount } = transfer;
      amounts({ rail, asset, way }, Number(amount) / 10 ** unitOf(transfer).decimals);
    },
  };
}

/** What waits for somebody, wherever it was begun. */
export function waitingPayments(records: Pick<PaymentRecords, 'waiting'>): Gauge {
  return {
    name: 'payments_waiting',
    help: 'Payments whose outcome is not known yet, and refunds that are due.',
    async read() {
      const states = ['pending', 'refund_due'] as const;
      return Promise.all(
        states.map(async (state) => ({ labels: { state }, value: await records.waiting(state) })),
      );
    },
  };
}

function wayOf({ debit, credit }: LedgerTransferRow): 'in' | 'out' | undefined {
  if (debit === 'funds') return 'in';
  return credit === 'funds' ? 'out' : undefined;
}
