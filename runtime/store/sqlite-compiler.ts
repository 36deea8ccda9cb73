import type { Kysely } from 'kysely';
import { queryBuilder } from './query-builder.ts';

/** What makes SQL of queries, and has no database of its own. */
export function sqliteCompiler<Tables>(): Kysely<Tables> {
  const { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } =
    queryBuilder();
  return new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}
