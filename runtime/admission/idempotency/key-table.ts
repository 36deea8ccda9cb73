import { ServiceError } from '#contract/errors';
import type { Store } from '#contract/house/store';
import type { IdempotencyKeyRow, Tables } from '../../../generated/tables.ts';

/** How long a key is remembered after its call began. */
const lifetimeMs = 86_400_000;
/** Keys of one caller that are remembered at a time. */
const mostKeys = 10_000;

/** One call that came with a key. */
export interface KeyedCall {
  readonly tenant: string;
  readonly operation: string;
  readonly owner: string;
  /** Hashes of the key and of the arguments. */
  readonly key: string;
  readonly digest: string;
  /** Tells this call from all others; a task that is run again has the same. */
  readonly run: string;
}

/** What is known of a key. */
export type Claim =
  /** It is new: this call does the work, and nobody else. */
  | { readonly kind: 'claimed' }
  | { readonly kind: 'running' }
  /** Another call did the work and never told its end: this one takes it up. */
  | { readonly kind: 'resumed' }
  /** The call that did the work never told its end. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'done'; readonly answer: string };

export interface KeyTableParts {
  readonly store: Store<Tables>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** The keys of calls, kept in the store: any replica knows what any other has done. */
export class KeyTable {
  readonly #store: Store<Tables>;
  readonly #now: () => number;
  readonly #startedAt: number;

  constructor({ store, now = Date.now }: KeyTableParts) {
    this.#store = store;
    this.#now = now;
    this.#startedAt = now();
  }

  /**
   * Take a key for a call of at most so many milliseconds, or say what became of the call that has
   * it. It is on disk before the work begins. What `resumes` is taken up where it never told its end.
   *
   * @throws ServiceError where the caller has too many keys
   */
  async claim(call: KeyedCall, runMs: number, resumes = false): Promise<Claim> {
    const now = this.#now();
    return this.#store.transaction(async (tx) => {
      let kind: 'claimed' | 'resumed' = 'claimed';
      const known = await tx
        .selectFrom('idempotency_key')
        .selectAll()
        .where((where) => where.and(placeOf(call)))
        .executeTakeFirst();
      if (known && known.expires_at > now) {
        const claim = claimOn(known, call, now);
        const isLost = claim.kind === 'lost' || (claim.kind === 'running' && this.#isDead(known));
        if (resumes && isLost) kind = 'resumed';
        else if (claim.kind !== 'claimed') return claim;
      }
      if (!known) {
        const { count } = await tx
          .selectFrom('idempotency_key')
          .select(({ fn }) => fn.countAll<number | bigint>().as('count'))
          .where((where) => where.and({ tenant: call.tenant, owner: call.owner }))
          .where('expires_at', '>', now)
          .executeTakeFirstOrThrow();
        if (Number(count) >= mostKeys) throw tooMany();
      }
      const row: IdempotencyKeyRow = {
        ...call,
        state: 'running',
        running_until: now + runMs,
        answer: '',
        expires_at: now + lifetimeMs,
      };
      await tx
        .insertInto('idempotency_key')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['tenant', 'operation', 'owner', 'key']).doUpdateSet(row),
        )
        .execute();
      return { kind };
    });
  }

  /** Write down what came of a call; empty where that is not kept. */
  async finish(call: KeyedCall, answer: string): Promise<void> {
    await this.#store.db
      .updateTable('idempotency_key')
      .set({ state: 'done', answer })
      .where((where) => where.and({ ...placeOf(call), run: call.run }))
      .execute();
  }

  /** Give a key back: nothing was done yet. */
  async release(call: KeyedCall): Promise<void> {
    await this.#store.db
      .deleteFrom('idempotency_key')
      .where((where) => where.and({ ...placeOf(call), run: call.run, state: 'running' }))
      .execute();
  }

  /** Only one process has an SQLite database: what was begun before it is at work nowhere. */
  #isDead({ expires_at: expiresAt }: IdempotencyKeyRow): boolean {
    return this.#store.engine === 'sqlite' && expiresAt - lifetimeMs < this.#startedAt;
  }

  async removeExpired(): Promise<void> {
    await this.#store.db
      .deleteFrom('idempotency_key')
      .where('expires_at', '<=', this.#now())
      .execute();
  }
}

function claimOn(known: IdempotencyKeyRow, { digest, run }: KeyedCall, now: number): Claim {
  if (known.digest !== digest) return { kind: 'conflict' };
  if (known.state === 'done') return { kind: 'done', answer: known.answer };
  // A task that is run again does what it had begun; whether it may is decided there.
  if (known.run === run) return { kind: 'claimed' };
  return { kind: known.running_until > now ? 'running' : 'lost' };
}

function placeOf({ tenant, operation, owner, key }: KeyedCall) {
  return { tenant, operation, owner, key };
}

function tooMany(): ServiceError {
  const message = `${mostKeys} idempotency keys of this caller are remembered already; each is for a day`;
  return new ServiceError('too_many_keys', 429, message, { retryAfterMs: 60_000 });
}
