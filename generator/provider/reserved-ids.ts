import { existsSync, readFileSync } from 'node:fs';
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
 * SERVICE_PROVIDER, the surfaces, and what their tools begin with, as those of vendors do with theirs.
 */
export function reservedIds(base: string): ReservedIds {
  const surfaces = folderNames(base, 'specs/surfaces');
  return new Map([
    ...surfaces
      .flatMap((name) => toolBeginnings(base, name))
      .map((name) => [name, 'what tools of a surface begin with'] as const),
    ...surfaces.map((name) => [name, 'a surface'] as const),
    ...presetNames(base).map((name) => [name, 'a preset of SERVICE_PROVIDER'] as const),
    ...words.map((name) => [name, 'a word of SERVICE_PROVIDER'] as const),
  ]);
}

/** The first words of the names of a surface's tools: `payments` of `payments_quote`. */
function toolBeginnings(base: string, surface: string): string[] {
  const named = textOf(base, `specs/surfaces/${surface}/tools.yaml`).matchAll(
    /^ {2}- name: (\w+)$/gm,
  );
  return [...named].flatMap(([, name = '']) =>
    [...name.matchAll(/_/g)].map(({ index }) => name.slice(0, index)),
  );
}

/** The presets that are listed together, and those that providers name themselves. */
function presetNames(base: string): string[] {
  const listed = memberOf(base, 'specs/providers/presets.yaml', 'presets');
  const own = providerIds(base).flatMap((id) => {
    const preset = memberOf(base, `specs/providers/${id}/curation.yaml`, 'preset');
    return Array.isArray(preset) ? preset.map(String) : [];
  });
  return [...Object.keys(isObject(listed) ? listed : {}), ...own];
}

/** What a file holds by a name; what is wrong with it is told by those who read it for what it says. */
function memberOf(base: string, path: string, name: string): unknown {
  try {
    const own = memberText(textOf(base, path), name);
    const value: unknown = own === undefined ? undefined : parse(own);
    return isObject(value) ? value[name] : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a file; none where there is no such file. */
function textOf(base: string, path: string): string {
  const file = join(base, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/**
 * The lines of a member of a file; all of it where the name stands elsewhere than at the beginning of
 * one. To parse all of every curation takes as long as the rest of a small draft.
 */
function memberText(text: string, name: string): string | undefined {
  if (!text.includes(name)) return undefined;
  const [lines] =
    new RegExp(`^${name}:[^\\n]*(?:\\n(?:[-# \\t\\r][^\\n]*)?)*`, 'm').exec(text) ?? [];
  return lines ?? text;
}
