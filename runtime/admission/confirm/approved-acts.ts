import type { Transaction } from 'kysely';
import type { Caller } from '#contract/caller';
import { ToolError } from '#contract/errors';
import type { EarlierAct } from '#contract/house/approval';
import type { Store } from '#contract/house/store';
import type { ApprovedActRow, Tables } from '../../../generated/tables.ts';
import { visibleLine } from './visible-text.ts';

/** How long vendors keep keys, and so how long one stands for the same act. */
const lifetimeMs = 86_400_000;
/** Acts of one caller that are remembered at a time. */
const mostActs = 10_000;
const longestAnswer = 500;

/** A call that was approved and is to be done. */
export interface ActingCall {
  readonly caller: Pick<Caller, 'tenant' | 'subject'>;
  readonly operation: string;
  readonly digest: string;
  readonly callId: string;
}

export interface ApprovedActsParts {
  readonly store: Store<Tables>;
  readonly now: () => number;
  /** Told when it could not be written down how an act ended. */
  readonly onLoss?: ((error: unknown, operation: string) => void) | undefined;
}

/**
 * What became of calls that were approved: whoever is asked about the same call again learns of it,
 * and until it is done the vendor gets the same key for it, so that it is done once.
 */
export class ApprovedActs {
  readonly #store: Store<Tables>;
  readonly #now: () => number;
  readonly #onLoss: ApprovedActsParts['onLoss'];

  constructor({ store, now, onLoss }: ApprovedActsParts) {
    this.#store = store;
    this.#now = now;
    this.#onLoss = onLoss;
  }

  /**
   * Write down that the call begins, before anything is done; gives from what its key is derived.
   *
   * @throws ToolError where the caller has too many
   */
  async begin({ caller, digest, callId }: ActingCall): Promise<string> {
    const { tenant, subject } = caller;
    const now = this.#now();
    return this.#store.transaction(async (tx) => {
      const known = await tx
        .selectFrom('approved_act')
        .selectAll()
        .where((where) => where.and({ tenant, digest }))
        .where('expires_at', '>', now)
        .executeTakeFirst();
      if (!known) await requireRoom(tx, { tenant, subject }, now);
      // What was done may be approved once more, and is another act then.
      const goesOn = known !== undefined && known.state !== 'done';
      const row: ApprovedActRow = {
        ...{ tenant, subject, digest, state: 'running', answer: '', run: callId },
        act: goesOn ? known.act : callId,
        began_at: now,
        expires_at: goesOn ? known.expires_at : now + lifetimeMs,
      };
      await tx
        .insertInto('approved_act')
        .values(row)
        .onConflict((conflict) => conflict.columns(['tenant', 'digest']).doUpdateSet(row))
        .execute();
      return row.act;
    });
  }

  /**
   * Write down how the call ended; without `answer`, that it was done. Never fails, because the act
   * is done by then.
   */
  async end(call: ActingCall, answer?: string): Promise<void> {
    const { caller, digest, callId: run, operation } = call;
    const ended =
      answer === undefined
        ? ({ state: 'done', answer: '' } as const)
        : ({ state: 'failed', answer: visibleLine(answer, longestAnswer) } as const);
    try {
      await this.#store.db
        .updateTable('approved_act')
        .set(ended)
        .where((where) => where.and({ tenant: caller.tenant, digest, run }))
        .execute();
    } catch (error) {
      this.#onLoss?.(error, operation);
    }
  }

  /** What became of the same call when it was approved before. */
  async find({ tenant }: Pick<Caller, 'tenant'>, digest: string): Promise<EarlierAct | undefined> {
    const row = await this.#store.db
      .selectFrom('approved_act')
      .select(['state', 'answer', 'began_at'])
      .where((where) => where.and({ tenant, digest }))
      .where('expires_at', '>', this.#now())
      .executeTakeFirst();
    return row && { state: row.state, answer: row.answer, at: row.began_at };
  }

  async removeExpired(tx: Transaction<Tables>): Promise<void> {
    await tx.deleteFrom('approved_act').where('expires_at', '<=', this.#now()).execute();
  }
}

async function requireRoom(
  tx: Transaction<Tables>,
  owner: Pick<ApprovedActRow, 'tenant' | 'subject'>,
  now: number,
): Promise<void> {
  const { count } = await tx
    .selectFrom('approved_act')
    .select(({ fn }) => fn.countAll<number | bigint>().as('count'))
    .where((where) => where.and(owner))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  if (Number(count) < mostActs) return;
  const message = `${mostActs} different calls of this caller were approved within a day, and no more are remembered`;
  throw new ToolError('rate_limited_local', message, { retryable: true, retryAfterMs: 3_600_000 });
}
