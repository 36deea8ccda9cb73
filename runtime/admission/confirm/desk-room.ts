import type { Transaction } from 'kysely';
import { ToolError } from '#contract/errors';
import type { Store } from '#contract/house/store';
import type { ApprovalRow, Tables } from '../../../generated/tables.ts';

/** Of one caller and one operation: what waits for one tool is in the way of no other. */
const mostPending = 50;

/** Whose question it is, and about what. */
export type DeskPlace = Pick<ApprovalRow, 'tenant' | 'subject' | 'operation'>;

/** Keeps one caller from having people asked without end, and from keeping the store busy with it. */
export class DeskRoom {
  /** Questions that are being stored now, by their place. */
  readonly #coming = new Map<string, number>();

  /**
   * Store a question with `work`.
   *
   * @throws ToolError where as many are being stored already as may wait
   */
  async enter<Result>(place: DeskPlace, work: () => Promise<Result>): Promise<Result> {
    const key = JSON.stringify([place.tenant, place.subject, place.operation]);
    const count = this.#coming.get(key) ?? 0;
    if (count >= mostPending) throw fullDesk(place, 1000);
    this.#coming.set(key, count + 1);
    try {
      return await work();
    } finally {
      const left = (this.#coming.get(key) ?? 1) - 1;
      if (left > 0) this.#coming.set(key, left);
      else this.#coming.delete(key);
    }
  }
}

/**
 * A full desk passes: each question is decided, or ends by itself.
 *
 * @throws ToolError
 */
export async function requireRoom(
  db: Transaction<Tables> | Store<Tables>['db'],
  { tenant, subject, operation }: DeskPlace,
  now: number,
): Promise<void> {
  const { count, first } = await db
    .selectFrom('approval')
    .select(({ fn }) => [
      fn.countAll<number | bigint>().as('count'),
      fn.min('expires_at').as('first'),
    ])
    .where((where) => where.and({ tenant, subject, operation, state: 'pending' }))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  if (Number(count) < mostPending) return;
  throw fullDesk({ operation }, Math.max(1000, Number(first) - now));
}

function fullDesk({ operation }: Pick<DeskPlace, 'operation'>, retryAfterMs: number): ToolError {
  const seconds = Math.ceil(retryAfterMs / 1000);
  const message = `${mostPending} calls of ${operation} wait for approval already, and nothing was done; have them approved or declined at the addresses that were given for them, or call again in ${seconds} s, when the oldest of them expires`;
  return new ToolError('rate_limited_local', message, { retryable: true, retryAfterMs });
}
