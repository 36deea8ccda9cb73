import type { Store } from '#contract/house/store';
import type {
  CommerceTables,
  LedgerTransferRow,
} from '../../../../generated/surfaces/commerce/tables.ts';
import { longestTime, mostEntriesAtOnce } from '../numbers.ts';

/** Entries from one time on and before another, in milliseconds since the epoch. */
export interface Period {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** The ledger for those who read it; `createPaymentRecords` writes it. */
export function createLedger(store: Store<CommerceTables>) {
  return {
    /** All entries of a tenant, the oldest first. */
    async *entries(
      tenant: string,
      { fromMs = 0, toMs = longestTime }: Period = {},
    ): AsyncGenerator<LedgerTransferRow> {
      let last: Pick<LedgerTransferRow, 'created_at' | 'id'> = { created_at: fromMs, id: '' };
      for (;;) {
        const { created_at: at, id } = last;
        const page = await store.db
          .selectFrom('ledger_transfer')
          .selectAll()
          .where('tenant', '=', tenant)
          .where('created_at', '>=', at)
          .where('created_at', '<', toMs)
          .where((where) => where.or([where('created_at', '>', at), where('id', '>', id)]))
          .orderBy('created_at')
          .orderBy('id')
          .limit(mostEntriesAtOnce)
          .execute();
        yield* page;
        const end = page.at(-1);
        if (end === undefined || page.length < mostEntriesAtOnce) return;
        last = end;
      }
    },
    /** Those of some payments, the oldest first. */
    async ofPayments(
      tenant: string,
      payments: readonly string[],
    ): Promise<readonly LedgerTransferRow[]> {
      if (payments.length === 0) return [];
      return store.db
        .selectFrom('ledger_transfer')
        .selectAll()
        .where('tenant', '=', tenant)
        .where('payment', 'in', payments)
        .orderBy('created_at')
        .execute();
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
