import type { Migration } from './migration.ts';

/** What a witness has cosigned last, for each log that it watches. */
export const witnessedLogs: Migration = {
  name: 'witnessed-log',
  async up({ createTable, text, integer }) {
    await createTable('witnessed_log')
      .addColumn('tenant', text, (column) => column.notNull())
      .addColumn('origin', text, (column) => column.notNull())
      .addColumn('size', integer, (column) => column.notNull())
      .addColumn('root', text, (column) => column.notNull())
      .addColumn('note', text, (column) => column.notNull())
      .addColumn('cosigned_at', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('witnessed_log_key', ['tenant', 'origin'])
      .execute();
  },
};
