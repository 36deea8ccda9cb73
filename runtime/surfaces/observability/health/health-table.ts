import type { Store } from '#contract/house/store';
import type {
  ObservabilityHealthRow,
  ObservabilityTables,
} from '../../../../generated/surfaces/observability/tables.ts';
import type { ProviderKey } from '../registry/records.ts';

/** What is known of the back ends of a tenant, by `<signal>/<id>`. */
export async function readHealth(
  { db }: Store<ObservabilityTables>,
  tenant: string,
): Promise<ReadonlyMap<string, ObservabilityHealthRow>> {
  const rows = await db
    .selectFrom('observability_health')
    .selectAll()
    .where('tenant', '=', tenant)
    .execute();
  return new Map(rows.map((row) => [`${row.signal}/${row.id}`, row]));
}

/** Keep what was found now. */
export async function writeHealth(
  { db }: Store<ObservabilityTables>,
  row: ObservabilityHealthRow,
): Promise<void> {
  const { tenant: _, signal: __, id: ___, ...rest } = row;
  await db
    .insertInto('observability_health')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant', 'signal', 'id']).doUpdateSet(rest))
    .execute();
}

/** Forget a back end that is not registered any more. */
export async function forgetHealth(
  { db }: Store<ObservabilityTables>,
  { tenant, signal, id }: ProviderKey,
): Promise<void> {
  await db
    .deleteFrom('observability_health')
    .where((where) => where.and({ tenant, signal, id }))
    .execute();
}
