import type { JobRow } from '../../../generated/tables.ts';

/** A row of the table that every store has. */
export function jobRow(row: Partial<JobRow> = {}): JobRow {
  return {
    tenant: 'default',
    name: 'row',
    key: 'a',
    state: 'waiting',
    payload: 'null',
    run_at: 0,
    attempt: 0,
    token: 0,
    owner: '',
    lease_until: 0,
    last_error: '',
    ...row,
  };
}
