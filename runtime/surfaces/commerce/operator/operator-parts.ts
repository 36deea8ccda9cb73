import type { Finding } from '#contract/surface/finding';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { Evidence } from '../ledger/check-ledger.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentLists } from '../ledger/payment-lists.ts';
import type { UnitOf } from '../offers/unit.ts';
import type { PaymentRecords } from '../records/payment-records.ts';

/** What the operator works with at the terminal. */
export interface OperatorParts {
  readonly records: PaymentRecords;
  readonly lists: PaymentLists;
  readonly ledger: Ledger;
  readonly events: CommerceEvents;
  readonly unitOf: UnitOf;
  readonly evidence: Evidence;
  /** What an account has; nothing where nobody can say. */
  readonly fundsOf: (
    holding: Pick<PaymentRow, 'network' | 'asset'> & { readonly payTo: string },
  ) => Promise<bigint | undefined>;
  /** Find out what became of payments that were begun and not ended. */
  readonly reconcile: () => Promise<void>;
  /** Look whether payments can be taken and given back. */
  readonly diagnose: () => AsyncIterable<Finding>;
  /** Have what is due given back. */
  readonly refund: (row: PaymentRow) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
