import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isObject } from '#contract/json';
import { folderNames } from '../kinds/kind/places.ts';
import { providerIds } from '../kinds/providers.ts';

/** Names that a provider may not have, and what each of them means already. */
export type ReservedIds = ReadonlyMap<string, string>;

/** Words of SERVICE_PROVIDER that stand for several vendors (runtime/vendors/provider-selection.ts). */
const words = ['all-providers', 'default-providers', 'default'];

/**
 * The names that already mean something else where providers are named: words and presets of
 * SERVICE_PROVIDER, and the surfaces, whose tools begin with their names as those of vendors do.
 */
export function reservedIds(base: string): ReservedIds {
  return new Map([
    ...folderNames(base, 'specs/surfaces').map((name) => [name, 'a surface'] as const),
    ...presetNames(base).map((name) => [name, 'a preset of SERVICE_PROVIDER'] as const),
    ...words.map((name) => [name, 'a word of SERVICE_PROVIDER'] as const),
  ]);
}

/** The presets that are listed together, and those that providers name themselves. */
function presetNames(base: string): string[] {
  const listed = membersOf(base, 'specs/providers/presets.yaml')['presets'];
  const own = providerIds(base).flatMap((id) => {
    const { preset } = membersOf(base, `specs/providers/${id}/curation.yaml`);
    return Array.isArray(preset) ? preset.map(String) : [];
  });
  return [...Object.keys(isObject(listed) ? listed : {}), ...own];
}

/** What a file holds; what is wrong with it is told by those who read it for what it says. */
function membersOf(base: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = parse(readFileSync(join(base, path), 'utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
