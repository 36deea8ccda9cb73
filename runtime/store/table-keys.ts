import type { Tables } from '#contract/house/store';

type DataTable = Exclude<keyof Tables, 'schema_migration'>;

/** Every table that holds data, with the columns that tell its rows apart, for copies. */
export const tableKeys: {
  readonly [Table in DataTable]: readonly (keyof Tables[Table] & string)[];
} = {
  approval: ['tenant', 'id'],
  job: ['tenant', 'name', 'key'],
  task: ['tenant', 'id'],
  used_answer: ['tenant', 'id'],
  witnessed_log: ['tenant', 'origin'],
};
