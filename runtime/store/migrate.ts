import type { Kysely, Transaction } from 'kysely';
import type { MigrationRow } from '#contract/house/migrations';
import type { Store } from '#contract/house/store';
import { migrations as stored } from '../../generated/migrations.ts';
import type { Tables } from '../../generated/tables.ts';
import { StartError } from '../process/start-error.ts';
import { type Migration, schemaEditor } from './migrations/migration.ts';
import { nameMigrations } from './migrations/named-migrations.ts';
import { storedMigration } from './migrations/stored-migration.ts';
import { queryBuilder } from './query-builder.ts';

/** Those of each owner of tables in their order; one that has been released never changes. */
export const migrations: readonly Migration[] = stored.map(storedMigration);

/** Any number, as long as it is the same in all versions: the advisory lock of our migrations. */
const migrationLock = 4_157_531_001;

/**
 * Bring the database to the version of this code, all of it or nothing. Replicas that start at the
 * same time wait for the first one; SQLite is locked by the transaction itself.
 *
 * @throws StartError when the database has been through migrations that this code does not know
 */
export async function migrate(
  db: Kysely<Tables>,
  engine: Store['engine'],
  known: readonly Migration[] = migrations,
): Promise<void> {
  const { sql } = queryBuilder();
  // Read committed, because what the lock was waited for must be seen afterwards.
  const transaction = db.transaction().setIsolationLevel('read committed');
  await transaction.execute(async (tx) => {
    if (engine === 'postgres')
      await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(tx);
    const applied = await appliedMigrations(tx, engine);
    refuseForeign(applied, known);
    const done = new Set(applied.map(({ name }) => name));
    for (const migration of known) {
      if (done.has(migration.name)) continue;
      await migration.up(schemaEditor(tx, engine));
      const row = { name: migration.name, applied_at: Date.now() };
      await tx.insertInto('schema_migration').values(row).execute();
    }
  });
}

async function appliedMigrations(
  tx: Transaction<Tables>,
  engine: Store['engine'],
): Promise<readonly MigrationRow[]> {
  if (engine === 'sqlite' || !(await isMade(tx))) await migrationTable(tx, engine).execute();
  await nameMigrations(tx, engine, () => migrationTable(tx, engine).execute());
  return tx.selectFrom('schema_migration').selectAll().execute();
}

/** Only who makes tables needs the right to: `if not exists` asks for it even when there is one. */
async function isMade(tx: Transaction<Tables>): Promise<boolean> {
  const { sql } = queryBuilder();
  const { rows } = await sql`select 1 from pg_class
    where relname = 'schema_migration' and pg_table_is_visible(oid)`.execute(tx);
  return rows.length > 0;
}

/** What makes the table of the steps that the database has been through. */
export function migrationTable(db: Kysely<Tables>, engine: Store['engine']) {
  const { createTable, text, integer } = schemaEditor(db, engine);
  return createTable('schema_migration')
    .ifNotExists()
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .addColumn('applied_at', integer, (column) => column.notNull());
}

/** What is known of a step that a database has been through. */
export type AppliedMigration = Pick<MigrationRow, 'name'>;

/** Whether a database that has been through these steps needs none of those that are known. */
export function isUpToDate(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): boolean {
  const names = new Set(known.map(({ name }) => name));
  return applied.length === known.length && applied.every(({ name }) => names.has(name));
}

function refuseForeign(applied: readonly AppliedMigration[], known: readonly Migration[]): void {
  const names = new Set(known.map(({ name }) => name));
  const strange = applied.find(({ name }) => !names.has(name));
  if (!strange) return;
  throw new StartError(
    `the database is newer than this server: it has been through step ${JSON.stringify(strange.name)}, ` +
      `and this server knows ${known.length} steps; start the version of the server that was used ` +
      'last, or a newer one',
  );
}
