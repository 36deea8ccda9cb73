import type { ExpressionBuilder, Transaction } from 'kysely';
import type { Store } from '#contract/house/store';
import type { CommerceTables } from '../../../../generated/surfaces/commerce/tables.ts';
import { decimalOf, exact } from './decimal.ts';
import type { Hold } from './rules.ts';

/** What a rule says to a call. */
export interface Spending extends Hold {
  readonly used: string;
  readonly allows: boolean;
}

type Database = Pick<Transaction<CommerceTables>, 'selectFrom' | 'insertInto' | 'updateTable'>;

/** A budget does not allow a payment; nothing was taken of any. */
export class BudgetExceeded extends Error {
  readonly spending: Spending;

  constructor(spending: Spending) {
    super(`the budget ${spending.rule} is exceeded`);
    this.spending = spending;
  }
}

/** What was spent, in the store: counted in the transaction that spends it, so never more than allowed. */
export function createSpendings(store: Store<CommerceTables>) {
  return {
    /** What rules would say now; nothing is taken. */
    async look(tenant: string, holds: readonly Hold[]): Promise<readonly Spending[]> {
      const found: Spending[] = [];
      for (const hold of holds) found.push(await spendingOf(store.db, tenant, hold));
      return found;
    },
    /** Take something of the first rule that still has it; nothing comes back where none has. */
    async takeOne(tenant: string, holds: readonly Hold[]): Promise<Hold | undefined> {
      for (const hold of holds) {
        const taken = await store.transaction(async (tx) => {
          const spending = await spendingOf(tx, tenant, hold);
          if (spending.allows) await count(tx, tenant, spending);
          return spending.allows;
        });
        if (taken) return hold;
      }
      return undefined;
    },
    /** Give back what was taken for nothing. */
    async giveBack(tenant: string, holds: readonly Hold[]): Promise<void> {
      if (holds.length === 0) return;
      await store.transaction((tx) => release(tx, tenant, holds));
    },
    /** Forget, of all tenants, spans that are over. */
    async forget(beforeMs: number): Promise<void> {
      await store.db.deleteFrom('spending').where('until', '<', beforeMs).execute();
    },
  };
}

export type Spendings = ReturnType<typeof createSpendings>;

/**
 * Take a payment of all its budgets, within the transaction that claims it.
 *
 * @throws BudgetExceeded
 */
export async function reserve(tx: Database, tenant: string, holds: readonly Hold[]): Promise<void> {
  // In one order, so that no two wait for each other.
  for (const hold of holds.toSorted((one, other) => (one.rule < other.rule ? -1 : 1))) {
    const spending = await spendingOf(tx, tenant, hold);
    if (!spending.allows) throw new BudgetExceeded(spending);
    await count(tx, tenant, spending);
  }
}

/** Give back what a payment took of its budgets, within the transaction that ends it. */
export async function release(tx: Database, tenant: string, holds: readonly Hold[]): Promise<void> {
  for (const hold of holds.toSorted((one, other) => (one.rule < other.rule ? -1 : 1))) {
    const { used } = await spendingOf(tx, tenant, hold);
    const left = exact(used) - exact(hold.takes);
    await tx
      .updateTable('spending')
      .set({ used: decimalOf(left < 0n ? 0n : left) })
      .where(isOf(tenant, hold))
      .execute();
  }
}

async function spendingOf(
  db: Pick<Database, 'selectFrom'>,
  tenant: string,
  hold: Hold,
): Promise<Spending> {
  const row = await db
    .selectFrom('spending')
    .select('used')
    .where(isOf(tenant, hold))
    .executeTakeFirst();
  const used = row?.used ?? '0';
  return { ...hold, used, allows: exact(used) + exact(hold.takes) <= exact(hold.limit) };
}

async function count(
  db: Pick<Database, 'insertInto'>,
  tenant: string,
  { rule, holder, since, until, used: before, takes }: Spending,
): Promise<void> {
  const used = decimalOf(exact(before) + exact(takes));
  await db
    .insertInto('spending')
    .values({ tenant, rule, holder, since, until, used })
    .onConflict((conflict) =>
      conflict.columns(['tenant', 'rule', 'holder', 'since']).doUpdateSet({ used }),
    )
    .execute();
}

function isOf(tenant: string, { rule, holder, since }: Hold) {
  return (where: ExpressionBuilder<CommerceTables, 'spending'>) =>
    where.and({ tenant, rule, holder, since });
}
