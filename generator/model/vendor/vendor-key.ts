import type { CuratedOperation, CuratedVendorKey } from '../shape/curation.ts';

/** Where the vendor takes a key that makes a repeated request harmless, if it takes one. */
export function vendorKeyOf({
  idempotency,
}: Pick<CuratedOperation, 'idempotency'>): CuratedVendorKey | undefined {
  return typeof idempotency === 'object' ? idempotency : undefined;
}
