import type { Tables } from '../../generated/tables.ts';
import { migrationTable } from './migrate.ts';
import { type Migration, schemaEditor } from './migrations/migration.ts';
import { statementOf } from './migrations/stored-migration.ts';
import { sqliteCompiler } from './sqlite-compiler.ts';
import type { Statement } from './worker-protocol.ts';

/**
 * What brings a SQLite database that has no tables through all migrations, so that the thread can do
 * it at once; undefined where one of them does more than its steps say.
 */
export function statementsOfNew(known: readonly Migration[]): readonly Statement[] | undefined {
  const db = sqliteCompiler<Tables>();
  const schema = schemaEditor(db, 'sqlite');
  const statements: Statement[] = [compiled(migrationTable(db, 'sqlite'))];
  for (const { name, steps } of known) {
    if (steps === undefined) return undefined;
    const row = { name, applied_at: Date.now() };
    for (const step of steps) statements.push(compiled(statementOf(step, schema)));
    statements.push(compiled(db.insertInto('schema_migration').values(row)));
  }
  return statements;
}

/** Without the tree of the query, which would travel to the thread. */
function compiled(query: { compile(): Statement }): Statement {
  const { sql, parameters } = query.compile();
  return { sql, parameters };
}
