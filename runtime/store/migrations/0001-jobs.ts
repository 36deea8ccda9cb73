import type { Migration } from './migration.ts';

/** Durable background jobs. */
export const jobs: Migration = {
  name: 'jobs',
  async up({ tx, createTable, text, integer }) {
    await createTable('job')
      .addColumn('tenant', text, (column) => column.notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('key', text, (column) => column.notNull())
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('payload', text, (column) => column.notNull())
      .addColumn('run_at', integer, (column) => column.notNull())
      .addColumn('attempt', integer, (column) => column.notNull())
      .addColumn('token', integer, (column) => column.notNull())
      .addColumn('owner', text, (column) => column.notNull())
      .addColumn('lease_until', integer, (column) => column.notNull())
      .addColumn('last_error', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('job_key', ['tenant', 'name', 'key'])
      .execute();
    await tx.schema.createIndex('job_due').on('job').columns(['state', 'run_at']).execute();
  },
};
