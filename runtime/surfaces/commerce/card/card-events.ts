import type { House } from '#contract/house/house';
import type { Store } from '#contract/house/store';
import { defaultTenant } from '#contract/tenant/tenants';
import type {
  CardEventRow,
  CommerceTables,
} from '../../../../generated/surfaces/commerce/tables.ts';

/** A row that is no event: how far they were listed. */
const cursor = { tenant: defaultTenant, id: 'listed' };

/** What the processor has told, in the store. */
export function createCardEvents(
  store: Store<CommerceTables>,
  jobs: Pick<House['jobs'], 'enqueue' | 'wake'>,
) {
  return {
    /** Keep what was told together with the work that it makes; told again, it makes none. */
    async keep(row: CardEventRow): Promise<boolean> {
      const isNew = await store.transaction(async (tx) => {
        const added = await tx
          .insertInto('card_event')
          .values(row)
          .onConflict((conflict) => conflict.columns(['tenant', 'id']).doNothing())
          .returning('id')
          .executeTakeFirst();
        if (added === undefined) return false;
        const { tenant, id: key, intent } = row;
        await jobs.enqueue({ name: 'payments-card-event', tenant, key, payload: { intent } }, tx);
        return true;
      });
      if (isNew) jobs.wake();
      return isNew;
    },
    /** Up to when everything was asked for that the processor had to tell; nothing at the beginning. */
    async listedUntil(): Promise<number | undefined> {
      const row = await store.db
        .selectFrom('card_event')
        .select('created_at')
        .where((where) => where.and(cursor))
        .executeTakeFirst();
      return row?.created_at;
    },
    async setListedUntil(created_at: number): Promise<void> {
      await store.db
        .insertInto('card_event')
        .values({ ...cursor, type: '', intent: '', created_at })
        .onConflict((conflict) => conflict.columns(['tenant', 'id']).doUpdateSet({ created_at }))
        .execute();
    },
    /** Forget, of all tenants, what the processor does not tell again. */
    async forget(beforeMs: number): Promise<void> {
      await store.db.deleteFrom('card_event').where('created_at', '<', beforeMs).execute();
    },
  };
}

export type CardEvents = ReturnType<typeof createCardEvents>;
