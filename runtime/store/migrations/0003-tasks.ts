import type { Migration } from './migration.ts';

/** Work that a client waits for without keeping a connection. */
export const tasks: Migration = {
  name: 'tasks',
  async up({ tx, createTable, text, integer }) {
    await createTable('task')
      .addColumn('tenant', text, (column) => column.notNull())
      .addColumn('id', text, (column) => column.notNull())
      .addColumn('subject', text, (column) => column.notNull())
      .addColumn('tool', text, (column) => column.notNull())
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('status_message', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('updated_at', integer, (column) => column.notNull())
      .addColumn('expires_at', integer, (column) => column.notNull())
      .addColumn('version', integer, (column) => column.notNull())
      .addColumn('starts', integer, (column) => column.notNull())
      .addColumn('requests', text, (column) => column.notNull())
      .addColumn('answers', text, (column) => column.notNull())
      .addColumn('outcome', text, (column) => column.notNull())
      .addColumn('work', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('task_key', ['tenant', 'id'])
      .execute();
    const { schema } = tx;
    await schema
      .createIndex('task_caller')
      .on('task')
      .columns(['tenant', 'subject', 'state'])
      .execute();
    await schema.createIndex('task_expiry').on('task').column('expires_at').execute();
  },
};
