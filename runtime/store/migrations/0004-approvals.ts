import type { Migration } from './migration.ts';

/** What a person has to agree to, and what may be used only once. */
export const approvals: Migration = {
  name: 'approvals',
  async up({ tx, createTable, text, integer }) {
    await createTable('approval')
      .addColumn('tenant', text, (column) => column.notNull())
      .addColumn('id', text, (column) => column.notNull())
      .addColumn('subject', text, (column) => column.notNull())
      .addColumn('client', text, (column) => column.notNull())
      .addColumn('operation', text, (column) => column.notNull())
      .addColumn('summary', text, (column) => column.notNull())
      .addColumn('digest', text, (column) => column.notNull())
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('task', text, (column) => column.notNull())
      .addColumn('used_by', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('expires_at', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('approval_key', ['tenant', 'id'])
      .execute();
    await createTable('used_answer')
      .addColumn('tenant', text, (column) => column.notNull())
      .addColumn('id', text, (column) => column.notNull())
      .addColumn('expires_at', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('used_answer_key', ['tenant', 'id'])
      .execute();
    const { schema } = tx;
    await schema.createIndex('approval_id').unique().on('approval').column('id').execute();
    await schema
      .createIndex('approval_caller')
      .on('approval')
      .columns(['tenant', 'subject', 'state'])
      .execute();
    await schema.createIndex('approval_expiry').on('approval').column('expires_at').execute();
    await schema.createIndex('used_answer_expiry').on('used_answer').column('expires_at').execute();
  },
};
