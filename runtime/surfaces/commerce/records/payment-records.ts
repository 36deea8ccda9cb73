import type { Transaction } from 'kysely';
import type { Store } from '#contract/house/store';
import type {
  CommerceTables,
  LedgerTransferRow,
  PaymentRow,
} from '../../../../generated/surfaces/commerce/tables.ts';
import { decimalOf, exact } from '../budgets/decimal.ts';
import type { Hold } from '../budgets/rules.ts';
import { release, reserve } from '../budgets/spending.ts';
import { ownerOf, transferBetween } from '../ledger/accounts.ts';
import { transferFor } from '../ledger/transfer.ts';

export type PaymentState = PaymentRow['state'];

/** The fault of a payment that never came to whoever would have taken it. */
export const unavailable = 'processor_unavailable';

/** What changes while a payment goes from one state to the next. */
export type PaymentChange = Partial<
  Pick<
    PaymentRow,
    'transaction_hash' | 'refund_hash' | 'fault' | 'settled_entry' | 'charged' | 'held'
  >
>;

/** What came of the attempt to claim a payment. */
export type Claimed =
  | { readonly kind: 'claimed'; readonly row: PaymentRow }
  /** Somebody has it; `isSame` where the client gave it the name that it has now. */
  | { readonly kind: 'used'; readonly row: PaymentRow; readonly isSame: boolean }
  /** Its name is that of another payment. */
  | { readonly kind: 'misnamed' };

type Query = Pick<Transaction<CommerceTables>, 'insertInto' | 'updateTable' | 'selectFrom'>;

/**
 * The payments that were claimed, in the store.
 *
 * @param onMove hears of each that has gone from one state to the next, and of the money with it
 */
export function createPaymentRecords(
  store: Store<CommerceTables>,
  now: () => number,
  onMove: (row: PaymentRow, transfer: LedgerTransferRow | undefined) => void = () => {},
) {
  return {
    /**
     * Claim a payment before anything is done for it: of all who try, at any replica, one gets it. One
     * that was refused before any money was moved can be claimed again. It counts for budgets from then
     * on, until it is refused, or goes back.
     *
     * @param name what its client calls it
     * @throws BudgetExceeded
     */
    async claim(row: PaymentRow, name?: string): Promise<Claimed> {
      const holds = holdsOf(row);
      if (name === undefined && holds.length === 0) return claimIn(store.db, row);
      return store.transaction(async (tx) => {
        const named = name === undefined ? 'new' : await nameOf(tx, row, name);
        if (named === 'other') return { kind: 'misnamed' };
        const claimed = await claimIn(tx, row);
        if (claimed.kind === 'used') return { ...claimed, isSame: named === 'same' };
        await reserve(tx, row.tenant, holds);
        // Only whoever claims a payment names it: a name that came later opens nothing next time.
        if (name !== undefined) await giveName(tx, row, name);
        return claimed;
      });
    },
    /** Whether a payment was claimed for this very call of its caller, and not refused. */
    async isClaimed({ tenant, claim, digest, subject }: PaymentRow): Promise<boolean> {
      return isKept(store.db, { tenant, claim, digest, subject });
    },
    /** Whether it was for whatever call. */
    async isUsed({ claim }: Pick<PaymentRow, 'claim'>): Promise<boolean> {
      return isKept(store.db, { claim });
    },
    async find(tenant: string, id: string): Promise<PaymentRow | undefined> {
      return store.db
        .selectFrom('payment')
        .selectAll()
        .where((where) => where.and({ tenant, id }))
        .executeTakeFirst();
    },
    /**
     * Go on; nothing happens, and `false` comes back, where it is not in that state any more. What that
     * means for the money is written to the ledger with it, so that neither is there without the other.
     */
    async move(
      row: Pick<PaymentRow, 'tenant' | 'id' | 'flow' | 'held'>,
      from: readonly PaymentState[],
      to: PaymentState,
      change: PaymentChange = {},
      answer?: string,
    ): Promise<boolean> {
      const before = stateBefore(row, from, to);
      const move = (db: Query) =>
        db
          .updateTable('payment')
          .set({ ...change, state: to, changed_at: now() })
          .where((where) => where.and({ tenant: row.tenant, id: row.id }))
          .where('state', 'in', from)
          .returningAll()
          .executeTakeFirst();
      const frees = freed.has(to) && row.held !== nothingHeld;
      const leaves = leftOver(row, change);
      const moveWith = async (tx: Query) => {
        const after = await move(tx);
        const transfer = after && before && transferFor(before, after);
        if (transfer) await tx.insertInto('ledger_transfer').values(transfer).execute();
        if (after && frees) await free(tx, after);
        if (after) await release(tx, row.tenant, leaves);
        if (after && answer !== undefined) await keepAnswer(tx, after, answer);
        return { after, transfer };
      };
      const isAlone = before === undefined && answer === undefined && !frees && leaves.length === 0;
      const { after, transfer } = isAlone
        ? { after: await move(store.db), transfer: undefined }
        : await store.transaction(moveWith);
      if (after !== undefined) onMove(after, transfer);
      return after !== undefined;
    },
    /** Go on with one in place of a dead process; of all who try, at any replica, one does. */
    async takeOver({ tenant, id, state, changed_at }: PaymentRow): Promise<PaymentRow | undefined> {
      return store.db
        .updateTable('payment')
        .set({ changed_at: now() })
        .where((where) => where.and({ tenant, id, state, changed_at }))
        .returningAll()
        .executeTakeFirst();
    },
    /** What was answered to whoever has paid; nothing where that was not kept, or is forgotten. */
    async answer(tenant: string, id: string): Promise<{ answer: string } | undefined> {
      return store.db
        .selectFrom('payment_answer')
        .select('answer')
        .where((where) => where.and({ tenant, id }))
        .executeTakeFirst();
    },
    /** Forget, of all tenants, what was refused before any money was moved, and old answers. */
    async forget(beforeMs: number): Promise<void> {
      await store.db
        .deleteFrom('payment')
        .where('state', '=', 'rejected')
        .where('changed_at', '<', beforeMs)
        .execute();
      for (const table of ['payment_answer', 'payment_identifier'] as const) {
        await store.db.deleteFrom(table).where('created_at', '<', beforeMs).execute();
      }
    },
    /** Write down where the audit log says that its money has arrived. */
    async noteEntry({ tenant, id }: Pick<PaymentRow, 'tenant' | 'id'>, seq: number): Promise<void> {
      await store.db
        .updateTable('payment')
        .set({ settled_entry: seq })
        .where((where) => where.and({ tenant, id }))
        .execute();
    },
    /** How many of all tenants wait in a state. */
    async waiting(state: PaymentState): Promise<number> {
      const { count } = await store.db
        .selectFrom('payment')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('state', '=', state)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    /** Whether anything was begun, here or at another replica, and not ended or not forgotten. */
    async isAnyOpen(): Promise<boolean> {
      const open = await store.db
        .selectFrom('payment')
        .select('id')
        .where('state', 'in', [
          ...['claimed', 'settling', 'pending', 'executing', 'refund_due', 'rejected'],
        ] as PaymentState[])
        .limit(1)
        .executeTakeFirst();
      if (open !== undefined) return true;
      const kept = await store.db.selectFrom('payment_answer').select('id').limit(1);
      return (await kept.executeTakeFirst()) !== undefined;
    },
    /** Those of all tenants that were left in one of these states for a while, after the one that was last. */
    async left(
      states: readonly PaymentState[],
      beforeMs: number,
      limit: number,
      last: Pick<PaymentRow, 'changed_at' | 'id'> = { changed_at: 0, id: '' },
    ): Promise<readonly PaymentRow[]> {
      const { changed_at: at, id } = last;
      return store.db
        .selectFrom('payment')
        .selectAll()
        .where('state', 'in', states)
        .where('changed_at', '<', beforeMs)
        .where('changed_at', '>=', at)
        .where((where) => where.or([where('changed_at', '>', at), where('id', '>', id)]))
        .orderBy('changed_at')
        .orderBy('id')
        .limit(limit)
        .execute();
    },
  };
}

/** States in which nothing was spent after all. */
const freed: ReadonlySet<PaymentState> = new Set(['rejected', 'failed', 'refund_due'] as const);

const nothingHeld = '[]';

/** What a payment has held of its budgets and does not take up after all. */
function leftOver(before: Pick<PaymentRow, 'held'>, { held }: PaymentChange): readonly Hold[] {
  if (held === undefined) return [];
  const after = holdsOf({ held });
  return holdsOf(before).map((hold, index) => {
    const left = exact(hold.takes) - exact(after[index]?.takes ?? '0');
    return { ...hold, takes: decimalOf(left < 0n ? 0n : left) };
  });
}

/** The same holds, for less. */
export function heldFor(row: Pick<PaymentRow, 'held'>, takes: string): string {
  return JSON.stringify(holdsOf(row).map((hold) => ({ ...hold, takes })));
}

function holdsOf({ held }: Pick<PaymentRow, 'held'>): readonly Hold[] {
  return held === nothingHeld ? [] : (JSON.parse(held) as readonly Hold[]);
}

/** Once for each payment: it may come to several of those states, as when a refund fails and is made again. */
async function free(tx: Query, row: PaymentRow): Promise<void> {
  const { tenant, id } = row;
  if (row.held === nothingHeld) return;
  await release(tx, tenant, holdsOf(row));
  await tx
    .updateTable('payment')
    .set({ held: nothingHeld })
    .where((where) => where.and({ tenant, id }))
    .execute();
}

/** From where money moves; nothing where none does. All states that a step begins in are alike in that. */
function stateBefore(
  { flow }: Pick<PaymentRow, 'flow'>,
  from: readonly PaymentState[],
  to: PaymentState,
): PaymentState | undefined {
  const [first, ...others] = from;
  const after = { state: to, flow };
  if (first === undefined) throw new Error(`a payment comes to ${to} from nowhere`);
  const owner = ownerOf({ state: first, flow });
  if (others.some((state) => ownerOf({ state, flow }) !== owner)) {
    throw new Error(`the ledger cannot tell where money comes from on the way to ${to}`);
  }
  return transferBetween({ state: first, flow }, after) && first;
}

export type PaymentRecords = ReturnType<typeof createPaymentRecords>;

async function keepAnswer(
  tx: Query,
  { tenant, id, changed_at: created_at }: PaymentRow,
  answer: string,
): Promise<void> {
  await tx
    .insertInto('payment_answer')
    .values({ tenant, id, answer, created_at })
    .onConflict((conflict) => conflict.columns(['tenant', 'id']).doUpdateSet({ answer }))
    .execute();
}

async function isKept(db: Query, which: Partial<PaymentRow>): Promise<boolean> {
  const found = await db
    .selectFrom('payment')
    .select('state')
    .where((where) => where.and(which))
    .where('state', 'not in', ['rejected', 'failed'])
    .executeTakeFirst();
  return found !== undefined;
}

async function claimIn(db: Query, row: PaymentRow): Promise<Claimed> {
  const added = await db
    .insertInto('payment')
    .values(row)
    .onConflict((conflict) => conflict.column('claim').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added !== undefined) return { kind: 'claimed', row };
  // What the chain took after it was claimed for the first time is for this one.
  const { created_at: _, ...renewed } = row;
  const again = await db
    .updateTable('payment')
    .set(renewed)
    .where('claim', '=', row.claim)
    .where('state', '=', 'rejected')
    // A processor answers for a challenge once: what it has refused it refuses for ever.
    .where(({ or, eb }) => or([eb('rail', '!=', 'card'), eb('fault', '=', unavailable)]))
    .returningAll()
    .executeTakeFirst();
  if (again !== undefined) return { kind: 'claimed', row: again };
  const used = await db
    .selectFrom('payment')
    .selectAll()
    .where('claim', '=', row.claim)
    .executeTakeFirstOrThrow();
  return { kind: 'used', row: used, isSame: false };
}

/** Whether a name is that of this payment, or of another one for which money was or is moved. */
async function nameOf(
  tx: Query,
  { tenant, claim }: PaymentRow,
  identifier: string,
): Promise<'new' | 'same' | 'other'> {
  const known = await tx
    .selectFrom('payment_identifier')
    .select('claim')
    .where((where) => where.and({ tenant, identifier }))
    .executeTakeFirst();
  if (known?.claim === claim) return 'same';
  if (known !== undefined) {
    const other = await tx
      .selectFrom('payment')
      .select('state')
      .where((where) => where.and({ tenant, claim: known.claim }))
      .executeTakeFirst();
    if (other !== undefined && other.state !== 'rejected' && other.state !== 'failed') {
      return 'other';
    }
  }
  return 'new';
}

async function giveName(
  tx: Query,
  { tenant, claim, created_at }: PaymentRow,
  identifier: string,
): Promise<void> {
  await tx
    .insertInto('payment_identifier')
    .values({ tenant, identifier, claim, created_at })
    .onConflict((conflict) => conflict.columns(['tenant', 'identifier']).doUpdateSet({ claim }))
    .execute();
}
