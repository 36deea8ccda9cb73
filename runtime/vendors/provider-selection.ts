import { ConfigError } from '#contract/config/config';
import type { ProviderEntry } from '#contract/provider';

export type ProviderRegistry = Readonly<Record<string, ProviderEntry>>;

const all = 'all-providers';

/** What stands for the preset `default` besides its name. */
const defaultAlias = 'default-providers';

/**
 * The ids of the providers that `SERVICE_PROVIDER` names, in the order of the registry: each
 * member is an id, a preset or `all-providers`.
 *
 * @throws ConfigError when a member is none of these
 */
export function selectProviders(
  wanted: readonly string[],
  registry: ProviderRegistry,
): readonly string[] {
  const ids = Object.keys(registry);
  const presets = new Set(Object.values(registry).flatMap((entry) => entry.presets));
  const selected = new Set<string>();
  const unknown: string[] = [];
  for (const name of wanted) {
    const members = membersOf(name === defaultAlias ? 'default' : name, registry);
    if (members.length === 0) unknown.push(name);
    for (const id of members) selected.add(id);
  }
  if (unknown.length > 0) throw unknownProviders(unknown, [...presets, all], ids);
  return ids.filter((id) => selected.has(id));
}

function membersOf(name: string, registry: ProviderRegistry): readonly string[] {
  const ids = Object.keys(registry);
  if (name === all) return ids;
  if (Object.hasOwn(registry, name)) return [name];
  return ids.filter((id) => registry[id]?.presets.includes(name));
}

function unknownProviders(
  names: readonly string[],
  presets: readonly string[],
  ids: readonly string[],
): ConfigError {
  const expected = `any of ${presets.join(', ')} or of the providers ${ids.join(', ')}`;
  const received = names.map((name) => JSON.stringify(name.slice(0, 80))).join(', ');
  return new ConfigError([{ variable: 'SERVICE_PROVIDER', expected, received }]);
}
