import type { ExpressionBuilder } from 'kysely';
import type {
  ConnectionRow,
  ConnectionsTables,
} from '../../../../generated/surfaces/connections/tables.ts';

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
export function readableRow(row: ExpressionBuilder<ConnectionsTables, 'connection'>) {
  const isTime = row.between('expires_at', row.lit(0), row.lit(lastTime));
  return [
    ...plain,
    row.case().when(isTime).then(row.ref('expires_at')).end().as('expires_at'),
    row
      .case()
      .when(row.or([row('expires_at', 'is', null), isTime]))
      .then(row.ref('state'))
      .else(row.val<ConnectionRow['state']>('broken'))
      .end()
      .as('state'),
  ] as const;
}
