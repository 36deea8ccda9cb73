import type { CuratedOperation, CuratedVendorKey } from '../shape/curation.ts';

/** Where the vendor takes a key that makes a repeated request harmless, if it takes one. */
export function vendorKeyOf({
  idempotency,
}: Pick<CuratedOperation, 'idempotency'>): CuratedVendorKey | undefined {
  return typeof idempotency === 'object' ? idempotency : undefined;
}

/** The headers that hold a key, with those that name the same request. */
export function keyHeaders(key: CuratedVendorKey | undefined): readonly string[] {
  if (key === undefined) return [];
  return [...(key.in === 'header' ? [key.name] : []), ...(key.also ?? [])];
}
