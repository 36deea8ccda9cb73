import { createHash } from 'node:crypto';
import type { ProviderEntry } from '../registry/provider-entry.ts';

/**
 * Give each exporter the id `<type>/<signal>_<id>`; ids that only differ in what the collector does not
 * take get a hash of their own.
 */
export function exporterIds<
  Made extends { readonly entry: Pick<ProviderEntry, 'signal' | 'id'>; readonly type: string },
>(made: readonly Made[]): ReadonlyMap<Made, string> {
  const ids = new Map<Made, string>();
  const taken = new Set<string>();
  for (const each of made) {
    const { signal, id } = each.entry;
    const name = `${signal}_${id}`;
    const plain = `${each.type}/${name.replaceAll(/[^A-Za-z0-9_]/g, '_')}`;
    const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
    const own = taken.has(plain) ? `${plain}_${hash}` : plain;
    taken.add(own);
    ids.set(each, own);
  }
  return ids;
}
