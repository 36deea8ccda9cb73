import type { Store } from '#contract/house/store';
import type { CommerceTables } from '../../../../generated/surfaces/commerce/tables.ts';

/** A use of a tool that somebody has bought, and takes. */
export interface TakenUse {
  giveBack(): Promise<void>;
}

/**
 * Take one of the uses of a tool that somebody has bought; nothing where none is left. They hold while
 * their payment does: what went back, or was taken back by a bank, is worth nothing.
 */
export async function takeUse(
  { db }: Pick<Store<CommerceTables>, 'db'>,
  { tenant, subject, tool }: { readonly tenant: string; readonly subject: string; tool: string },
): Promise<TakenUse | undefined> {
  for (;;) {
    const found = await db
      .selectFrom('checkout_use')
      .innerJoin('payment', (join) =>
        join
          .onRef('payment.tenant', '=', 'checkout_use.tenant')
          .onRef('payment.id', '=', 'checkout_use.payment'),
      )
      .select(['checkout_use.id', 'checkout_use.used'])
      .where('checkout_use.tenant', '=', tenant)
      .where('checkout_use.subject', '=', subject)
      .where('checkout_use.tool', '=', tool)
      .where('payment.state', '=', 'delivered')
      .whereRef('checkout_use.used', '<', 'checkout_use.bought')
      .orderBy('checkout_use.created_at')
      .executeTakeFirst();
    if (found === undefined) return undefined;
    const { id, used } = found;
    const { numUpdatedRows } = await db
      .updateTable('checkout_use')
      .set({ used: used + 1 })
      .where((where) => where.and({ tenant, id, used }))
      .executeTakeFirst();
    // Another call has taken the same one: perhaps there are more.
    if (Number(numUpdatedRows) === 0) continue;
    return {
      async giveBack() {
        await db
          .updateTable('checkout_use')
          .set(({ eb }) => ({ used: eb('used', '-', 1) }))
          .where((where) => where.and({ tenant, id }))
          .where('used', '>', 0)
          .execute();
      },
    };
  }
}
