import { type RawBuilder, sql } from 'kysely';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../generated/tables.ts';
import { migrations } from '../../runtime/store/migrate.ts';
import type { Migration, SchemaEditor } from '../../runtime/store/migrations/migration.ts';

const rows = 300;

type Statement = (schema: SchemaEditor) => RawBuilder<unknown>;

/** Statements that do harm when they are done twice, in five steps. */
const steps: Readonly<Record<string, readonly Statement[]>> = {
  ledger: [
    ({ integer }) => sql`create table ledger (id ${type(integer)}, amount ${type(integer)})`,
    ...Array.from({ length: 10 }, (_, part) => () => insertPart(part)),
  ],
  doubled: [() => sql`update ledger set amount = amount * 2`],
  copied: [
    ({ integer }) => sql`create table ledger_copy (id ${type(integer)}, amount ${type(integer)})`,
    () => sql`insert into ledger_copy select id, amount from ledger`,
  ],
  renamed: [
    () => sql`drop table ledger`,
    () => sql`alter table ledger_copy rename to ledger`,
    () => sql`create unique index ledger_id on ledger (id)`,
  ],
  raised: [() => sql`update ledger set amount = amount + 1`],
};

/** The real migrations and those of the test; `tell` hears of each statement that is done. */
export function ledgerMigrations(tell: (step: string) => void = () => {}): readonly Migration[] {
  const own = Object.entries(steps).map(([name, statements]) => ({
    name,
    async up(schema: SchemaEditor) {
      for (const statement of statements) {
        await statement(schema).execute(schema.tx);
        tell(name);
      }
    },
  }));
  return [...migrations, ...own];
}

/** What is wrong with a ledger that was brought through all steps. */
export async function ledgerProblems({ db }: Store<Tables>): Promise<readonly string[]> {
  const { rows: found } = await sql<{ count: number; total: number }>`
    select count(*) as count, cast(sum(amount) as ${sql.raw('bigint')}) as total from ledger`.execute(
    db,
  );
  const seen = `${found[0]?.count} rows, in total ${found[0]?.total}`;
  const expected = `${rows} rows, in total ${rows * rows}`;
  return seen === expected ? [] : [`expected ${expected}, found ${seen}`];
}

function insertPart(part: number): RawBuilder<unknown> {
  const size = rows / 10;
  const tuples = Array.from({ length: size }, (_, index) => {
    const id = part * size + index;
    return sql`(${sql.lit(id)}, ${sql.lit(id)})`;
  });
  return sql`insert into ledger values ${sql.join(tuples)}`;
}

function type(column: SchemaEditor['integer']): RawBuilder<unknown> {
  return typeof column === 'string' ? sql.raw(column) : column;
}
