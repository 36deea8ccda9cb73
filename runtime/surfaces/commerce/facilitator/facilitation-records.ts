import type { Store } from '#contract/house/store';
import type {
  CommerceTables,
  PaymentFacilitationRow,
} from '../../../../generated/surfaces/commerce/tables.ts';

export type FacilitationState = PaymentFacilitationRow['state'];

/** Payments between others, in the store. */
export function createFacilitationRecords(store: Store<CommerceTables>, now: () => number) {
  return {
    /**
     * Claim a payment before it is sent: of all who ask for it, at any replica, one sends it. One that
     * was refused before can be sent again.
     */
    async claim(row: PaymentFacilitationRow): Promise<'claimed' | PaymentFacilitationRow> {
      const added = await store.db
        .insertInto('payment_facilitation')
        .values(row)
        .onConflict((conflict) => conflict.column('claim').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (added !== undefined) return 'claimed';
      const { created_at: _, ...renewed } = row;
      const again = await store.db
        .updateTable('payment_facilitation')
        .set(renewed)
        .where('claim', '=', row.claim)
        .where('state', '=', 'refused')
        .returning('id')
        .executeTakeFirst();
      if (again !== undefined) return 'claimed';
      return store.db
        .selectFrom('payment_facilitation')
        .selectAll()
        .where('claim', '=', row.claim)
        .executeTakeFirstOrThrow();
    },
    /** Those of all tenants of which nobody knows yet what became of them, after the one that was last. */
    async open(
      beforeMs: number,
      limit: number,
      last: Pick<PaymentFacilitationRow, 'changed_at' | 'id'> = { changed_at: 0, id: '' },
    ): Promise<readonly PaymentFacilitationRow[]> {
      const { changed_at: at, id } = last;
      return store.db
        .selectFrom('payment_facilitation')
        .selectAll()
        .where('state', 'in', ['settling', 'pending'])
        .where('changed_at', '<', beforeMs)
        .where('changed_at', '>=', at)
        .where((where) => where.or([where('changed_at', '>', at), where('id', '>', id)]))
        .orderBy('changed_at')
        .orderBy('id')
        .limit(limit)
        .execute();
    },
    /** Say what became of it; what is settled stays so. */
    async end(claim: string, state: FacilitationState, transaction: string): Promise<void> {
      await store.db
        .updateTable('payment_facilitation')
        .set({ state, transaction_hash: transaction, changed_at: now() })
        .where('claim', '=', claim)
        .where('state', '!=', 'settled')
        .execute();
    },
  };
}

export type FacilitationRecords = ReturnType<typeof createFacilitationRecords>;
