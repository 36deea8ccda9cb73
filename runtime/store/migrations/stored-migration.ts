import type { ColumnDefinitionBuilder, Compilable } from 'kysely';
import type { MigrationStep, StoredColumn, StoredMigration } from '#contract/house/migrations';
import type { Migration, SchemaEditor } from './migration.ts';

/** Make a migration of the steps that the generator has written down. */
export function storedMigration({ name, steps }: StoredMigration): Migration {
  return {
    name,
    steps,
    async up(schema) {
      for (const step of steps) await statementOf(step, schema).execute();
    },
  };
}

/** What changes the tables by this step. */
export function statementOf(
  step: MigrationStep,
  schema: SchemaEditor,
): Compilable & { execute(): Promise<unknown> } {
  if ('create' in step) {
    let table = schema.createTable(step.create);
    for (const [name, column] of Object.entries(step.columns)) {
      table = table.addColumn(name, schema[column.type], definition(column));
    }
    // The builder only knows columns that are added in one expression.
    const key = [...step.key] as never[];
    return table.addPrimaryKeyConstraint(`${step.create}_key`, key);
  }
  if ('add' in step) {
    const { add, to, column } = step;
    return schema.tx.schema.alterTable(to).addColumn(add, schema[column.type], definition(column));
  }
  const { index, on, columns, unique } = step;
  const builder = columns.reduce(
    (made, column) => made.column(column),
    schema.tx.schema.createIndex(index).on(on),
  );
  return unique ? builder.unique() : builder;
}

function definition({ nullable, default: value }: StoredColumn) {
  return (column: ColumnDefinitionBuilder) => {
    const preset = value === undefined ? column : column.defaultTo(value);
    return nullable ? preset : preset.notNull();
  };
}
