import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { EmittedFile } from '../emit/print/emitted-file.ts';
import { config } from '../kinds/config.ts';
import { isSound, type Kind, type Part, type Specs } from '../kinds/kind/kind.ts';
import { findLinks, findPlaces } from '../kinds/kind/places.ts';
import { kinds } from '../kinds/registry.ts';
import type { Memory } from './memory.ts';

/** Which part of the specs a run is about, and what earlier runs have made of it. */
export interface Scope {
  readonly base: string;
  readonly memory: Memory;
  /** The only place that is looked at. */
  readonly only?: string;
}

/** Read and plan every place of every kind, one after the other, then check them together. */
export async function planSpecs({ base, memory, only }: Scope): Promise<Specs> {
  const parts: Part<unknown>[] = [];
  for (const kind of kinds) {
    for (const place of findPlaces(base, kind.where)) {
      if (only !== undefined && place.path !== only) continue;
      const plan = async () => kind.plan(place);
      const planned = await memory.recall(place.path, `plan ${kind.name}`, plan);
      parts.push({ ...planned, kind, place });
    }
  }
  const own = parts.flatMap(({ diagnostics }) => diagnostics);
  const specs = specsOf(parts, own);
  return only === undefined ? specsOf(parts, [...own, ...checkTogether(base, specs)]) : specs;
}

function specsOf(parts: readonly Part<unknown>[], diagnostics: readonly Diagnostic[]): Specs {
  return {
    parts,
    // A part holds a model of its own kind.
    of: <Model>(kind: Kind<Model>) =>
      parts.filter((part) => part.kind === kind) as readonly Part<Model>[],
    diagnostics,
  };
}

function checkTogether(base: string, specs: Specs): Diagnostic[] {
  const where = kinds.flatMap((kind) => kind.where);
  return [
    ...findLinks(base, where),
    ...kinds.flatMap((kind) => kind.check?.(specs.of(kind), specs) ?? []),
  ];
}

/** Print everything that is made of the specs; of a single place, only what is made of it alone. */
export async function printSpecs(specs: Specs, { memory, only }: Scope): Promise<EmittedFile[]> {
  const files: EmittedFile[] = [];
  for (const { kind, place, model } of specs.parts) {
    if (model === undefined || kind.print === undefined) continue;
    const print = async () => kind.print?.(model) ?? [];
    files.push(...(await memory.recall(place.path, `print ${kind.name}`, print)));
  }
  if (only !== undefined) return files;
  // Pages are about a whole server, which has switches.
  const hasPages = specs.of(config).length > 0;
  for (const kind of kinds) {
    const parts = specs.of(kind);
    // A kind that lies nowhere speaks of what others have planned.
    if (parts.length === 0 && kind.where.length > 0) continue;
    files.push(...((await kind.merge?.(parts, specs)) ?? []));
    if (hasPages) files.push(...((await kind.docs?.(parts, specs)) ?? []));
  }
  return files;
}

/** The places that publish tools and can be trusted: what could not be planned is not gone. */
export function toolPlaces({ parts }: Specs): Part<unknown>[] {
  return parts.filter((part) => part.kind.tools !== undefined && isSound(part));
}
