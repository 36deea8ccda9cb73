import type { Transaction } from 'kysely';
import type { Store } from '#contract/house/store';
import type {
  ObservabilityProviderRow,
  ObservabilityTables,
} from '../../../../generated/surfaces/observability/tables.ts';
import { etagOf } from './etag.ts';
import type { ProviderDraft, ProviderEntry, Signal } from './provider-entry.ts';

/** Which entry is meant. */
export interface ProviderKey {
  readonly tenant: string;
  readonly signal: Signal;
  readonly id: string;
}

export type RegistryTransaction = Transaction<ObservabilityTables>;

/** All entries of a tenant, in order: by place, then by id, then by signal. */
export async function listEntries(
  db: Store<ObservabilityTables>['db'] | RegistryTransaction,
  tenant: string,
): Promise<readonly ProviderEntry[]> {
  const rows = await db
    .selectFrom('observability_provider')
    .selectAll()
    .where('tenant', '=', tenant)
    .orderBy('place')
    .orderBy('id')
    .orderBy('signal')
    .execute();
  return rows.map(entryOf);
}

/** Put an entry in the place of what there is of its name. */
export async function putEntry(
  tx: RegistryTransaction,
  tenant: string,
  entry: ProviderEntry,
): Promise<void> {
  const row = rowOf(tenant, entry);
  const { tenant: _, signal: __, id: ___, ...rest } = row;
  await tx
    .insertInto('observability_provider')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant', 'signal', 'id']).doUpdateSet(rest))
    .execute();
}

/** Remove an entry. */
export async function removeEntry(
  tx: RegistryTransaction,
  { tenant, signal, id }: ProviderKey,
): Promise<void> {
  await tx
    .deleteFrom('observability_provider')
    .where((where) => where.and({ tenant, signal, id }))
    .execute();
}

/** One version of an entry. */
export function entryWith(
  draft: ProviderDraft,
  life: Omit<ProviderEntry, keyof ProviderDraft | 'etag'>,
): ProviderEntry {
  return { ...draft, ...life, etag: etagOf(draft, life.version, life.createdAt) };
}

/** What was said of an entry, without what became of it. */
export function draftOf(entry: ProviderEntry): ProviderDraft {
  const { tenant: _, version: __, etag: ___, ...said } = entry;
  const { createdAt, createdBy, updatedAt, updatedBy, ...draft } = said;
  return draft;
}

function rowOf(tenant: string, entry: ProviderEntry): ObservabilityProviderRow {
  const { id, signal, primary, order, ...said } = draftOf(entry);
  return {
    ...{ tenant, signal, id, entry: JSON.stringify(said), place: order, version: entry.version },
    primary_of: primary ? signal : null,
    created_at: entry.createdAt,
    created_by: entry.createdBy,
    updated_at: entry.updatedAt,
    updated_by: entry.updatedBy,
  };
}

function entryOf(row: ObservabilityProviderRow): ProviderEntry {
  // It was checked against the schema of the route or tool before it was kept.
  const said = JSON.parse(row.entry) as Omit<ProviderDraft, 'id' | 'signal' | 'primary' | 'order'>;
  const { tenant, id, signal, place: order } = row;
  return entryWith(
    { ...said, id, signal, order, primary: row.primary_of !== null },
    {
      tenant,
      version: row.version,
      createdAt: row.created_at,
      createdBy: row.created_by,
      updatedAt: row.updated_at,
      updatedBy: row.updated_by,
    },
  );
}
