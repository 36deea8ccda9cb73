import type { ColumnDefinitionBuilder } from 'kysely';
import type { MigrationStep, StoredColumn, StoredMigration } from '#contract/house/migrations';
import type { Migration, SchemaEditor } from './migration.ts';

/** Make a migration of the steps that the generator has written down. */
export function storedMigration({ name, steps }: StoredMigration): Migration {
  return {
    name,
    async up(schema) {
      for (const step of steps) await take(step, schema);
    },
  };
}

async function take(step: MigrationStep, schema: SchemaEditor): Promise<void> {
  if ('create' in step) {
    let table = schema.createTable(step.create);
    for (const [name, column] of Object.entries(step.columns)) {
      table = table.addColumn(name, schema[column.type], definition(column));
    }
    // The builder only knows columns that are added in one expression.
    const key = [...step.key] as never[];
    await table.addPrimaryKeyConstraint(`${step.create}_key`, key).execute();
  } else if ('add' in step) {
    const { add, to, column } = step;
    await schema.tx.schema
      .alterTable(to)
      .addColumn(add, schema[column.type], definition(column))
      .execute();
  } else {
    const { index, on, columns, unique } = step;
    const builder = columns.reduce(
      (made, column) => made.column(column),
      schema.tx.schema.createIndex(index).on(on),
    );
    await (unique ? builder.unique() : builder).execute();
  }
}

function definition({ nullable, default: value }: StoredColumn) {
  return (column: ColumnDefinitionBuilder) => {
    const preset = value === undefined ? column : column.defaultTo(value);
    return nullable ? preset : preset.notNull();
  };
}
