import type { Transaction } from 'kysely';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../../generated/tables.ts';
import { queryBuilder } from '../query-builder.ts';

/** What the first four migrations were called when they had numbers. */
const formerly = ['jobs', 'witnessed-log', 'tasks', 'approvals'];

/**
 * Give the migrations of an older database the names that they have now. They had numbers then, which
 * two branches could not hand out at the same time.
 */
export async function nameMigrations(
  tx: Transaction<Tables>,
  engine: Store['engine'],
  createTable: () => Promise<unknown>,
): Promise<void> {
  const { sql } = queryBuilder();
  const { rows: numbers } = await sql`select 1 from ${
    engine === 'sqlite'
      ? sql`pragma_table_info('schema_migration') where name = 'version'`
      : sql`pg_attribute where attrelid = to_regclass('schema_migration')
          and attname = 'version' and not attisdropped`
  }`.execute(tx);
  if (numbers.length === 0) return;
  const rows = await tx.selectFrom('schema_migration').selectAll().execute();
  const named = rows.map(({ name, applied_at }) => {
    const place = formerly.indexOf(name);
    // One that is not known here is refused under its own name.
    return { name: place === -1 ? name : `house/${place + 1}`, applied_at };
  });
  await tx.schema.dropTable('schema_migration').execute();
  await createTable();
  if (named.length > 0) await tx.insertInto('schema_migration').values(named).execute();
}
