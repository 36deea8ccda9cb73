import type { Kysely, Transaction } from 'kysely';
import type { MigrationRow } from './migrations.ts';

/** What every database of this server has. */
export interface CommonTables {
  readonly schema_migration: MigrationRow;
}

/**
 * Everything that must survive a restart, in SQLite or PostgreSQL. The queries are the same for
 * both: text, whole numbers (times in milliseconds, 0 and 1 for no and yes), bytes, JSON as text.
 * `Tables` are the rows that somebody knows of. Failures of the database itself are a `ServiceError`
 * with status 503.
 */
export interface Store<Tables extends CommonTables = CommonTables> {
  readonly engine: 'sqlite' | 'postgres';
  /** Single statements; each is a transaction of its own. */
  readonly db: Kysely<Tables>;
  /**
   * Do several statements as one, as if nobody else used the database meanwhile.
   *
   * `work` uses the database through `tx` alone and does nothing that cannot be undone: it runs
   * again when PostgreSQL finds it in conflict with another one.
   */
  transaction<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Whether the database answers now. */
  check(): Promise<boolean>;
}

/** A transaction of the store, whoever began it. */
export type AnyTransaction = Pick<Transaction<CommonTables>, 'isTransaction'>;

/** The store, whoever's tables are in it. */
export type AnyStore = Pick<Store, 'engine' | 'check'>;

/** The store with the tables of one surface: the same spec has made both. */
export function storeWith<Tables extends CommonTables>(store: AnyStore): Store<Tables> {
  return store as unknown as Store<Tables>;
}

/** The same for a transaction that somebody else has begun. */
export function transactionWith<Tables extends CommonTables>(
  tx: AnyTransaction,
): Transaction<Tables> {
  return tx as unknown as Transaction<Tables>;
}
