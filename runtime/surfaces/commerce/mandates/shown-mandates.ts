import type { Store } from '#contract/house/store';
import type { CommerceTables } from '../../../../generated/surfaces/commerce/tables.ts';
import { keptMandateMs, mostAtOnce } from '../numbers.ts';
import type { Mandate } from './mandate-chain.ts';
import { MandateError } from './mandate-error.ts';

/** What was shown for which session. */
export function createShownMandates(store: Store<CommerceTables>, now: () => number) {
  return {
    /**
     * Keep a mandate for one session. Whoever is refused there, and tries again in the same one, may
     * show it again.
     *
     * @throws MandateError where it was shown for another one, unless that was given up
     */
    async keep(
      tenant: string,
      session: string,
      { root: id, reference }: Pick<Mandate, 'root' | 'reference'>,
    ): Promise<void> {
      const isKept = await store.transaction(async (tx) => {
        const known = await tx
          .selectFrom('mandate')
          .select('session')
          .where((where) => where.and({ tenant, id }))
          .executeTakeFirst();
        if (known === undefined) {
          const row = { tenant, id, session, reference, created_at: now() };
          const added = await tx
            .insertInto('mandate')
            .values(row)
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst();
          return Number(added.numInsertedOrUpdatedRows ?? 0) === 1;
        }
        const other = known.session;
        if (other !== session) {
          const given = await tx
            .selectFrom('checkout_session')
            .select('state')
            .where((where) => where.and({ tenant, id: other }))
            .executeTakeFirst();
          if (given?.state !== 'canceled') return false;
        }
        const { numUpdatedRows } = await tx
          .updateTable('mandate')
          .set({ session, reference })
          .where((where) => where.and({ tenant, id, session: other }))
          .executeTakeFirst();
        return Number(numUpdatedRows) === 1;
      });
      if (isKept) return;
      const message = 'the mandate was shown for another checkout session: it is good for one';
      throw new MandateError('mandate_scope_mismatch', message);
    },
    /** What was shown last for a session, as a receipt names it. */
    async referenceFor(tenant: string, session: string): Promise<string | undefined> {
      const found = await store.db
        .selectFrom('mandate')
        .select('reference')
        .where((where) => where.and({ tenant, session }))
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
