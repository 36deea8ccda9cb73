import { sql } from 'kysely';
import type { ConnectionRow } from '../../../../generated/surfaces/connections/tables.ts';

/** The last time that there is, in milliseconds (ECMA-262, time values). */
const lastTime = 8_640_000_000_000_000;

const plain = [
  ...(['tenant', 'subject', 'provider', 'id', 'scheme', 'way', 'sealed', 'key_id'] as const),
  ...(['account', 'scopes', 'version', 'lease_until', 'made_at', 'changed_at'] as const),
] satisfies readonly (keyof ConnectionRow)[];

/**
 * What to read of a connection. A version of this server kept whatever time a vendor named, and one
 * that is no time cannot even be read: such a connection is broken, so that its person connects anew.
 */
export const readableRow = [
  ...plain,
  sql<
    number | null
  >`case when expires_at between 0 and ${sql.lit(lastTime)} then expires_at end`.as('expires_at'),
  sql<
    ConnectionRow['state']
  >`case when expires_at is null or expires_at between 0 and ${sql.lit(lastTime)} then state else 'broken' end`.as(
    'state',
  ),
] as const;
