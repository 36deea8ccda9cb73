import type { Store } from '#contract/house/store';
import type {
  CommerceTables,
  LedgerTransferRow,
  PaymentRow,
} from '../../../../generated/surfaces/commerce/tables.ts';
import { mostEntriesAtOnce } from '../numbers.ts';

/** Which payments of a tenant to list. */
export interface PaymentQuery {
  readonly state?: PaymentRow['state'] | undefined;
  /** Only those of this caller. */
  readonly subject?: string | undefined;
  /** Only those from this time on, in milliseconds. */
  readonly fromMs?: number | undefined;
  /** Only those before this time. */
  readonly beforeMs?: number | undefined;
  readonly limit: number;
}

export interface PaymentWithEntries {
  readonly payment: PaymentRow;
  readonly entries: readonly LedgerTransferRow[];
}

/** The payments of a tenant for those who look through them. */
export function createPaymentLists(store: Store<CommerceTables>) {
  return {
    /** The newest first. */
    async list(tenant: string, query: PaymentQuery): Promise<readonly PaymentRow[]> {
      const { state, subject, fromMs, beforeMs, limit } = query;
      return store.db
        .selectFrom('payment')
        .selectAll()
        .where('tenant', '=', tenant)
        .$if(state !== undefined, (narrowed) => narrowed.where('state', '=', state ?? 'claimed'))
        .$if(subject !== undefined, (narrowed) => narrowed.where('subject', '=', subject ?? ''))
        .$if(fromMs !== undefined, (narrowed) => narrowed.where('created_at', '>=', fromMs ?? 0))
        .$if(beforeMs !== undefined, (narrowed) => narrowed.where('created_at', '<', beforeMs ?? 0))
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute();
    },
    /** One of them with its entries, as they were at one moment. */
    async withEntries(tenant: string, id: string): Promise<PaymentWithEntries | undefined> {
      return store.transaction(async (tx) => {
        const payment = await tx
          .selectFrom('payment')
          .selectAll()
          .where((where) => where.and({ tenant, id }))
          .executeTakeFirst();
        if (payment === undefined) return undefined;
        const entries = await tx
          .selectFrom('ledger_transfer')
          .selectAll()
          .where('tenant', '=', tenant)
          .where('payment', '=', id)
          .orderBy('created_at')
          .execute();
        return { payment, entries };
      });
    },
    /** All of them, some at a time. */
    async *pages(tenant: string): AsyncGenerator<readonly PaymentRow[]> {
      for (let last = ''; ; ) {
        const page = await store.db
          .selectFrom('payment')
          .selectAll()
          .where('tenant', '=', tenant)
          .where('id', '>', last)
          .orderBy('id')
          .limit(mostEntriesAtOnce)
          .execute();
        if (page.length > 0) yield page;
        if (page.length < mostEntriesAtOnce) return;
        last = page.at(-1)?.id ?? '';
      }
    },
  };
}

export type PaymentLists = ReturnType<typeof createPaymentLists>;
