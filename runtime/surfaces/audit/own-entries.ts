import type { Caller } from '#contract/caller';
import type { AuditEntry } from '#contract/house/audit';
import { defaultTenant } from '#contract/tenant/tenants';

/** Whether an entry is for this caller: one of its tenant, or of the server for the tenant `default`. */
export function isOwnEntry(
  { tenant }: Pick<AuditEntry, 'tenant'>,
  caller: Pick<Caller, 'tenant'>,
): boolean {
  return (tenant ?? defaultTenant) === caller.tenant;
}

/**
 * Whether all entries of a bundle are, each of which stands after its length in two bytes (C2SP
 * tlog-tiles).
 */
export function areOwnEntries(bundle: Uint8Array, caller: Pick<Caller, 'tenant'>): boolean {
  const bytes = Buffer.from(bundle.buffer, bundle.byteOffset, bundle.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const end = at + 2 + bytes.readUInt16BE(at);
    // Written by the log itself, in its canonical form.
    const entry = JSON.parse(bytes.toString('utf8', at + 2, end)) as Pick<AuditEntry, 'tenant'>;
    if (!isOwnEntry(entry, caller)) return false;
    at = end;
  }
  return true;
}
