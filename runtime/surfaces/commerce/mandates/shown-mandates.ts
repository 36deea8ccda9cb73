import type { Store } from '#contract/house/store';
import type { CommerceTables, MandateRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { keptMandateMs, mostAtOnce } from '../numbers.ts';
import { MandateError } from './mandate-error.ts';
import { type EarlierUse, type Recurrence, requireRecurrence } from './recurrence.ts';

/** A permission as it is used for one purchase. */
export interface PermissionUse {
  readonly kind: MandateRow['kind'];
  /** SHA-256 of what was signed to give it. */
  readonly permission: string;
  /** SHA-256 of the mandate that was shown for it. */
  readonly reference: string;
  /** In cents of the dollar. */
  readonly amount: number;
  /** For how many purchases it is good; for one when absent. */
  readonly recurrence?: Recurrence;
}

type Transaction = Parameters<Parameters<Store<CommerceTables>['transaction']>[0]>[0];

/** What was shown for which session. */
export function createShownMandates(store: Store<CommerceTables>, now: () => number) {
  /** The purchases for which a permission was used before, but those that were given up. */
  const earlierUses = async (
    tx: Transaction,
    tenant: string,
    session: string,
    permission: string,
  ): Promise<readonly EarlierUse[]> => {
    const rows = await tx
      .selectFrom('mandate')
      .leftJoin('checkout_session', (join) =>
        join
          .onRef('checkout_session.tenant', '=', 'mandate.tenant')
          .onRef('checkout_session.id', '=', 'mandate.session'),
      )
      .select(['mandate.amount', 'mandate.created_at as at', 'checkout_session.state'])
      .select('checkout_session.expires_at as ends')
      .where('mandate.tenant', '=', tenant)
      .where('mandate.permission', '=', permission)
      .where('mandate.session', '!=', session)
      .execute();
    return rows.filter(({ state, ends }) => {
      const isOver = state === 'open' && ends !== null && ends <= now();
      return state !== 'canceled' && !isOver;
    });
  };
  const keepOne = async (
    tx: Transaction,
    tenant: string,
    session: string,
    { kind, permission, reference, amount, recurrence }: PermissionUse,
  ): Promise<void> => {
    const earlier = await earlierUses(tx, tenant, session, permission);
    if (recurrence === undefined && earlier.length > 0) {
      const message = 'the mandate was shown for another checkout session: it is good for one';
      throw new MandateError('mandate_scope_mismatch', message);
    }
    if (recurrence !== undefined) requireRecurrence(recurrence, earlier, amount, now());
    const row = { session, reference, kind, amount, created_at: now() };
    await tx
      .insertInto('mandate')
      .values({ tenant, id: `${permission} ${session}`, permission, ...row })
      .onConflict((conflict) => conflict.columns(['tenant', 'id']).doUpdateSet(row))
      .execute();
  };
  return {
    /**
     * Keep all permissions of one session, or none. Whoever is refused there, and tries again in the
     * same one, may show them again; what is refunded later counts all the same.
     *
     * @throws MandateError where one is not good for one purchase more
     */
    async keep(tenant: string, session: string, uses: readonly PermissionUse[]): Promise<void> {
      await store.transaction(async (tx) => {
        for (const use of uses) await keepOne(tx, tenant, session, use);
      });
    },
    /** The mandate for the checkout that was shown last for a session, as a receipt names it. */
    async referenceFor(tenant: string, session: string): Promise<string | undefined> {
      const found = await store.db
        .selectFrom('mandate')
        .select('reference')
        .where((where) => where.and({ tenant, session, kind: 'checkout' }))
        .orderBy('created_at', 'desc')
        .executeTakeFirst();
      return found?.reference;
    },
    /** Forget, of all tenants, those that have expired long since. */
    async forget(): Promise<void> {
      for (;;) {
        const old = await store.db
          .selectFrom('mandate')
          .select(['tenant', 'id'])
          .where('created_at', '<', now() - keptMandateMs)
          .limit(mostAtOnce)
          .execute();
        for (const { tenant, id } of old) {
          await store.db
            .deleteFrom('mandate')
            .where((where) => where.and({ tenant, id }))
            .execute();
        }
        if (old.length < mostAtOnce) return;
      }
    },
  };
}

export type ShownMandates = ReturnType<typeof createShownMandates>;
