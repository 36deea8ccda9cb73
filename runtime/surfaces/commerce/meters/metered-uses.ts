import { randomUUID } from 'node:crypto';
import type { House } from '#contract/house/house';
import type { Store } from '#contract/house/store';
import type { Meter } from '#contract/payment/spending';
import type {
  CommerceTables,
  MeteredUseRow,
} from '../../../../generated/surfaces/commerce/tables.ts';
import { keptUseMs, mostAtOnce } from '../numbers.ts';

/** A use of a plan that somebody is billed for. */
export interface MeteredUse {
  readonly tenant: string;
  readonly subject: string;
  /** `GET /api/v1`, `tool:audit_verify`. */
  readonly operation: string;
  /** Name of the plan. */
  readonly plan: string;
  readonly meter: Meter;
}

type Change = Partial<Pick<MeteredUseRow, 'state' | 'sent_at' | 'refusals' | 'fault'>>;

/** Uses of plans that are billed, in the store: each is reported from there, whatever dies meanwhile. */
export function createMeteredUses(
  store: Store<CommerceTables>,
  jobs: Pick<House['jobs'], 'enqueue' | 'wake'>,
  now: () => number,
) {
  return {
    /** Keep a use together with the work of reporting it. */
    async keep({ tenant, subject, operation, plan, meter }: MeteredUse): Promise<void> {
      const at = now();
      const { event, customer } = meter;
      const row: MeteredUseRow = {
        ...{ tenant, id: randomUUID(), event, customer, plan, operation, subject },
        ...{ state: 'due', refusals: 0, sent_at: 0, fault: '', created_at: at, changed_at: at },
      };
      await store.transaction(async (tx) => {
        await tx.insertInto('metered_use').values(row).execute();
        await jobs.enqueue({ name: 'payments-metered-use', tenant, key: row.id }, tx);
      });
      jobs.wake();
    },
    async find(tenant: string, id: string): Promise<MeteredUseRow | undefined> {
      return store.db
        .selectFrom('metered_use')
        .selectAll()
        .where((where) => where.and({ tenant, id }))
        .executeTakeFirst();
    },
    /** Change one that is due; `false` where somebody else has ended it. */
    async change({ tenant, id }: Pick<MeteredUseRow, 'tenant' | 'id'>, change: Change) {
      const { numUpdatedRows } = await store.db
        .updateTable('metered_use')
        .set({ ...change, changed_at: now() })
        .where((where) => where.and({ tenant, id, state: 'due' }))
        .executeTakeFirst();
      return Number(numUpdatedRows) === 1;
    },
    /** How many of all tenants are in a state. */
    async waiting(state: MeteredUseRow['state']): Promise<number> {
      const { count } = await store.db
        .selectFrom('metered_use')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('state', '=', state)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    /** Forget, of all tenants, those that ended long ago. */
    async forget(): Promise<void> {
      for (const state of ['reported', 'unreported'] as const) {
        for (;;) {
          const old = await store.db
            .selectFrom('metered_use')
            .select(['tenant', 'id'])
            .where('state', '=', state)
            .where('created_at', '<', now() - keptUseMs)
            .limit(mostAtOnce)
            .execute();
          for (const { tenant, id } of old) {
            await store.db
              .deleteFrom('metered_use')
              .where((where) => where.and({ tenant, id }))
              .execute();
          }
          if (old.length < mostAtOnce) break;
        }
      }
    },
  };
}

export type MeteredUses = ReturnType<typeof createMeteredUses>;
