import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { JobRequest } from '#contract/house/jobs';
import type { Store } from '#contract/house/store';
import type { JobRow, Tables } from '../../generated/tables.ts';

/** The clock that all replicas share, in milliseconds: an expression of SQL. */
export type DatabaseClock = RawBuilder<number>;

/** A job in the hands of one run of it. */
export type Claim = Pick<JobRow, 'tenant' | 'name' | 'key' | 'owner'>;

const clocks: Readonly<Record<Store['engine'], DatabaseClock>> = {
  sqlite: sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`,
  postgres: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
};

const untouched = {
  state: 'waiting',
  attempt: 0,
  owner: '',
  lease_until: 0,
  last_error: '',
} as const;

export interface JobTableOptions {
  /** Takes the place of the clock of the database. */
  readonly now?: DatabaseClock | undefined;
  /** What the owners of all claims of this process begin with. */
  readonly process?: string | undefined;
}

/** The stored jobs. A running one is changed by its owner alone. */
export class JobTable {
  readonly #store: Store<Tables>;
  readonly #now: DatabaseClock;
  readonly #process: string | undefined;

  constructor(store: Store<Tables>, { now = clocks[store.engine], process }: JobTableOptions = {}) {
    this.#store = store;
    this.#now = now;
    this.#process = process;
  }

  /** Store a job, unless there is one of its key that has not failed for good. */
  async add(
    { tenant, name, key, payload, delayMs }: Required<JobRequest>,
    tx: Transaction<Tables> | undefined,
  ): Promise<void> {
    const row = { ...untouched, payload: JSON.stringify(payload), run_at: this.#after(delayMs) };
    await (tx ?? this.#store.db)
      .insertInto('job')
      .values({ tenant, name, key, token: 0, ...row })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant', 'name', 'key'])
          .doUpdateSet(row)
          .where('job.state', '=', 'failed'),
      )
      .execute();
  }

  /**
   * Take the job that has been due for longest: one that waits, or whose owner is dead.
   *
   * @param owner unique for each claim: a job that is done and stored again has another one
   */
  async claim(
    names: readonly string[],
    owner: string,
    leaseMs: number,
  ): Promise<JobRow | undefined> {
    const due = this.#store.db
      .selectFrom('job')
      .select(['tenant', 'name', 'key'])
      .where('name', 'in', names)
      .where(({ and, or, eb }) =>
        or([
          and([eb('state', '=', 'waiting'), eb('run_at', '<=', this.#now)]),
          and([
            eb('state', '=', 'running'),
            or([eb('lease_until', '<', this.#now), this.#ofDead()]),
          ]),
        ]),
      )
      .orderBy('run_at')
      .limit(1)
      // SQLite has one writer at a time and needs no row locks.
      .$if(this.#store.engine === 'postgres', (query) => query.forUpdate().skipLocked());
    return this.#store.db
      .updateTable('job')
      .set(({ eb }) => ({
        state: 'running',
        owner,
        attempt: eb('attempt', '+', 1),
        // Grows even when a job is done and stored again under the same key.
        token: sql<number>`case when token < ${this.#now} then ${this.#now} else token + 1 end`,
        lease_until: this.#after(leaseMs),
      }))
      .where(({ eb, refTuple }) =>
        // "=" and not "in": so the row is chosen, and locked, exactly once.
        eb(refTuple('tenant', 'name', 'key'), '=', due.$asTuple('tenant', 'name', 'key')),
      )
      .returningAll()
      .executeTakeFirst();
  }

  /** Keep a job for longer; false when it has been lost. */
  async renew(claim: Claim, leaseMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#owned(claim)
      .set({ lease_until: this.#after(leaseMs) })
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Whether the run still has the job, which then stays so until the transaction ends. */
  async holds({ tenant, name, key, owner }: Claim, tx: Transaction<Tables>): Promise<boolean> {
    const row = await tx
      .selectFrom('job')
      .select('owner')
      .where((where) => where.and({ tenant, name, key, owner, state: 'running' }))
      .$if(this.#store.engine === 'postgres', (query) => query.forUpdate())
      .executeTakeFirst();
    return row !== undefined;
  }

  /** The job is done and there is nothing left of it. */
  async remove({ tenant, name, key, owner }: Claim): Promise<void> {
    await this.#store.db
      .deleteFrom('job')
      .where((where) => where.and({ tenant, name, key, owner, state: 'running' }))
      .execute();
  }

  /** Let the job wait until it is due again. */
  async postpone(
    claim: Claim,
    delayMs: number,
    outcome: Pick<JobRow, 'attempt' | 'last_error'>,
  ): Promise<void> {
    const row = { ...untouched, ...outcome, run_at: this.#after(delayMs) };
    await this.#owned(claim).set(row).execute();
  }

  /** Nobody tries the job any more. */
  async giveUp(claim: Claim, lastError: string): Promise<void> {
    const row = { state: 'failed', owner: '', lease_until: 0, last_error: lastError } as const;
    await this.#owned(claim).set(row).execute();
  }

  /**
   * Bring a recurring job forward that waits for longer than it ever has to: the clock was set back,
   * or it recurs more often than it did.
   */
  async hasten({ tenant, name, key }: Omit<Claim, 'owner'>, everyMs: number): Promise<void> {
    await this.#store.db
      .updateTable('job')
      .set({ run_at: this.#after(everyMs) })
      .where((where) => where.and({ tenant, name, key, state: 'waiting' }))
      .where('run_at', '>', this.#after(everyMs))
      .execute();
  }

  /**
   * Whether the owner is a process that has ended: only one process has an SQLite database. Nobody
   * has to wait for the lease then, nor for a clock that was set back.
   */
  #ofDead(): RawBuilder<SqlBool> {
    if (this.#store.engine !== 'sqlite' || this.#process === undefined) return sql`1 = 0`;
    return sql`owner not like ${`${this.#process}/%`}`;
  }

  #owned({ tenant, name, key, owner }: Claim) {
    return this.#store.db
      .updateTable('job')
      .where((where) => where.and({ tenant, name, key, owner, state: 'running' }));
  }

  #after(milliseconds: number): RawBuilder<number> {
    return sql<number>`${this.#now} + cast(${Math.round(milliseconds)} as bigint)`;
  }
}
