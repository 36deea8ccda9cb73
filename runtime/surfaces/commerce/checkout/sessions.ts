import type { AnyTransaction, Store } from '#contract/house/store';
import type {
  CheckoutSessionRow,
  CommerceTables,
  PaymentRow,
} from '../../../../generated/surfaces/commerce/tables.ts';
import { keptSessionMs, mostAtOnce } from '../numbers.ts';

type Change = Partial<
  Pick<CheckoutSessionRow, 'lines' | 'state' | 'attempt' | 'fault' | 'payment' | 'demands'>
>;
type Place = Pick<CheckoutSessionRow, 'tenant' | 'id'>;

/** The checkout sessions in the store. */
export function createSessions(store: Store<CommerceTables>, now: () => number) {
  return {
    /**
     * Keep one. Where so many of its caller are kept that were neither paid nor cancelled, none is,
     * and when the first of them is forgotten comes back.
     */
    async add(row: CheckoutSessionRow, mostUnpaid: number): Promise<number | undefined> {
      const { tenant, subject } = row;
      return store.transaction(async (tx) => {
        const { unpaid, first } = await tx
          .selectFrom('checkout_session')
          .select(({ fn }) => [
            fn.countAll<number>().as('unpaid'),
            fn.min<number>('expires_at').as('first'),
          ])
          .where((where) => where.and({ tenant, subject, state: 'open' }))
          .executeTakeFirstOrThrow();
        if (Number(unpaid) >= mostUnpaid) return Number(first) + keptSessionMs;
        await tx.insertInto('checkout_session').values(row).execute();
        return undefined;
      });
    },
    /** That of somebody else is answered as what does not exist. */
    async find(tenant: string, subject: string, id: string) {
      return store.db
        .selectFrom('checkout_session')
        .selectAll()
        .where((where) => where.and({ tenant, id, subject }))
        .executeTakeFirst();
    },
    /** Whoever it belongs to. */
    async get({ tenant, id }: Place) {
      return store.db
        .selectFrom('checkout_session')
        .selectAll()
        .where((where) => where.and({ tenant, id }))
        .executeTakeFirst();
    },
    /** Those of a caller that are being paid. */
    async completing(tenant: string, subject: string): Promise<readonly CheckoutSessionRow[]> {
      return store.db
        .selectFrom('checkout_session')
        .selectAll()
        .where((where) => where.and({ tenant, subject, state: 'completing' }))
        .execute();
    },
    /** Change one that is still as it was seen; nothing happens, and nothing comes back, where it is not. */
    async change(
      { tenant, id, state, attempt }: Place & Pick<CheckoutSessionRow, 'state' | 'attempt'>,
      change: Change,
    ): Promise<CheckoutSessionRow | undefined> {
      return store.db
        .updateTable('checkout_session')
        .set({ ...change, changed_at: now() })
        .where((where) => where.and({ tenant, id, state, attempt }))
        .returningAll()
        .executeTakeFirst();
    },
    /** Write down that one is paid, with what was bought; `false` where it is not being paid any more. */
    async complete(
      row: CheckoutSessionRow,
      payment: string,
      bought: readonly { readonly tool: string; readonly quantity: number }[],
      tell: (tx: AnyTransaction) => Promise<void>,
    ): Promise<boolean> {
      const { tenant, id, subject, attempt } = row;
      return store.transaction(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('checkout_session')
          .set({ state: 'completed', payment, fault: '', changed_at: now() })
          .where((where) => where.and({ tenant, id, attempt, state: 'completing' }))
          .executeTakeFirst();
        if (Number(numUpdatedRows) === 0) return false;
        for (const [index, { tool, quantity }] of bought.entries()) {
          const use = { tenant, id: `${id}_${index}`, session: id, payment, subject, tool };
          const row = { ...use, bought: quantity, used: 0, created_at: now() };
          await tx.insertInto('checkout_use').values(row).execute();
        }
        await tell(tx);
        return true;
      });
    },
    /** The payment with which an attempt was made, by what it was for. */
    async paymentFor(
      { tenant, subject, created_at: since }: CheckoutSessionRow,
      digest: string,
    ): Promise<PaymentRow | undefined> {
      return store.db
        .selectFrom('payment')
        .selectAll()
        .where((where) => where.and({ tenant, subject, digest }))
        .where('created_at', '>=', since)
        .executeTakeFirst();
    },
    async payment(tenant: string, id: string): Promise<PaymentRow | undefined> {
      return store.db
        .selectFrom('payment')
        .selectAll()
        .where((where) => where.and({ tenant, id }))
        .executeTakeFirst();
    },
    async ofPayment({ tenant, id }: Pick<PaymentRow, 'tenant' | 'id'>) {
      return store.db
        .selectFrom('checkout_session')
        .selectAll()
        .where((where) => where.and({ tenant, payment: id }))
        .executeTakeFirst();
    },
    /** What was bought in one, and how much of it is used. */
    async uses({ tenant, id }: Place) {
      return store.db
        .selectFrom('checkout_use')
        .selectAll()
        .where((where) => where.and({ tenant, session: id }))
        .orderBy('id')
        .execute();
    },
    /** Forget, of all tenants, what nobody has bought. */
    async forget(): Promise<void> {
      for (const state of ['open', 'canceled', 'completing'] as const) {
        for (;;) {
          const old = await store.db
            .selectFrom('checkout_session')
            .select(['tenant', 'id'])
            .where('state', '=', state)
            .where('expires_at', '<', now() - keptSessionMs)
            .limit(mostAtOnce)
            .execute();
          for (const { tenant, id } of old) {
            await store.db
              .deleteFrom('checkout_session')
              .where((where) => where.and({ tenant, id, state }))
              .execute();
          }
          if (old.length < mostAtOnce) break;
        }
      }
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
