import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { readProviderFolder } from '../../kinds/provider-files/provider-folder.ts';
import { type ApiOperation, routeOf } from '../../model/schema/api-operations.ts';
import type { CuratedOperation } from '../../model/shape/curation.ts';
import type { ToolModel } from '../../model/shape/provider-model.ts';
import type { ProviderSources } from '../../model/shape/provider-sources.ts';
import { planProvider } from '../../model/vendor/plan-provider.ts';
import { readApi } from '../../read/read-api.ts';
import { openDescription } from '../source/description-source.ts';
import { addedOperations } from './added-operations.ts';
import { byCause, causeOf } from './by-cause.ts';
import type { Later } from './described.ts';
import type { DriftChange, DriftKind, Told } from './drift-change.ts';
import { OperationComparison } from './operation-changes.ts';
import { otherApi } from './other-api.ts';
import { type Pair, pairOperations } from './pair-operations.ts';
import { Unread, unreadTold } from './unread.ts';

/** How a provider stands to a later description. */
export interface DriftReport {
  readonly provider: string;
  /** What the description calls its version. */
  readonly version: string;
  /** Tools that were compared. */
  readonly compared: number;
  readonly changes: readonly DriftChange[];
  /** How many there are of each sort, those that are not told among them. */
  readonly counts: DriftCounts;
  /** Changes that are left out of the list, because there are too many. */
  readonly untold: number;
  /** Whether all of it was compared: something may be missing, and there is an end to how much is. */
  readonly complete: boolean;
  /** Whether there was too much to compare all of it. */
  readonly isCut: boolean;
  /** Why nothing could be compared; empty otherwise. */
  readonly diagnostics: readonly Diagnostic[];
  /** Why nothing could be compared, where no place in a file is to blame. */
  readonly problem?: string;
}

/** How much has changed; what concerns several tools for one reason is one change. */
export interface DriftCounts {
  readonly changed: number;
  readonly breaking: number;
  readonly added: number;
  /** What could not be compared, because it cannot be read. */
  readonly unread: number;
}

/** So many changes are told, those that break callers before others. */
const mostChanges = 500;

/** What `provider drift` is asked for. */
export interface DriftOptions {
  readonly id: string;
  /** The folder that holds `specs/`. */
  readonly base: string;
  /** File or http(s) address of the later description. */
  readonly description: string;
  /** The folder that its references may not leave. */
  readonly root?: string;
}

/**
 * Compare what a provider keeps of its description with a later version of it. Nothing is written.
 *
 * @throws FetchError when an address gives nothing
 */
export async function findDrift(options: DriftOptions): Promise<DriftReport> {
  const { id, base, description, root } = options;
  const opened = await openDescription(description, base, root);
  try {
    const { file, root: folder, origin } = opened;
    const { document, losses, diagnostics } = await readApi({
      ...{ file, root: folder, base, address: origin },
      repairs: true,
    });
    const kept = await readProviderFolder(`specs/providers/${id}`, base);
    if (!document) return nothingCompared(id, '', diagnostics);
    if (!kept.sources) return nothingCompared(id, '', kept.diagnostics);
    const later = { document, origin, ...(losses && { losses }) };
    const { tools } = planProvider(kept.sources).model;
    return driftOf(options, later, { ...kept.sources, tools });
  } finally {
    opened.close();
  }
}

/** What a provider keeps, and the tools that it makes of it. */
export type Kept = ProviderSources & { readonly tools: readonly ToolModel[] };

/** Compare a provider with a later description that has been read. */
export function driftOf(
  { id, base }: Pick<DriftOptions, 'id' | 'base'>,
  later: Later,
  kept: Kept,
): DriftReport {
  const { curation, document, tools } = kept;
  const pairs = pairOperations(curation, tools, [{ document }, later]);
  const unread = new Unread(later.document, later.losses);
  const version = String(later.document.root.info['version'] ?? '');
  const isOther = otherApi({ curation, document, later, pairs, unread });
  if (isOther) return nothingCompared(id, version, [isOther]);
  const comparison = new OperationComparison(curation, { document }, later, unread);
  const changes = pairs.flatMap((pair) => pairChanges(pair, { kept, later, unread, comparison }));
  const text = readFileSync(join(base, 'specs/providers', id, 'curation.yaml'), 'utf8');
  const added = addedOperations({ base, id, text, pairs }, later);
  const all = [...byCause(changes), ...added];
  const counts = countsOf(all);
  const told = all.length > mostChanges ? all.toSorted(breakingFirst).slice(0, mostChanges) : all;
  const { isCut } = comparison;
  return {
    ...{ provider: id, version, compared: pairs.length, changes: told, counts },
    ...{ untold: all.length - told.length, complete: !isCut && counts.unread === 0, isCut },
    diagnostics: [],
  };
}

/** What is told where there was nothing to hold against each other. */
export function nothingCompared(
  provider: string,
  version: string,
  diagnostics: readonly Diagnostic[],
): DriftReport {
  const counts = countsOf([]);
  const beside = { compared: 0, changes: [], counts, untold: 0, complete: false, isCut: false };
  return { provider, version, ...beside, diagnostics };
}

function countsOf(changes: readonly DriftChange[]): DriftCounts {
  const of = (kind: DriftKind) => changes.filter((change) => change.kind === kind).length;
  const [added, unread] = [of('added'), of('unread')];
  const breaking = changes.filter(({ breaks }) => breaks).length;
  return { changed: changes.length - added - unread, breaking, added, unread };
}

function breakingFirst(one: DriftChange, other: DriftChange): number {
  return Number(other.breaks) - Number(one.breaks);
}

interface Comparing {
  readonly kept: ProviderSources;
  readonly later: Later;
  readonly unread: Unread;
  readonly comparison: OperationComparison;
}

/** What has become of one operation. */
function pairChanges(pair: Pair, { kept, later, unread, comparison }: Comparing): DriftChange[] {
  const { entry, curated, was, now } = pair;
  const tool = curated.name;
  if (!now) {
    const missing = unread.path(was.path);
    const told: Told = missing
      ? unreadTold(routeOf(was), missing)
      : { kind: 'removed', text: goneText(curated, was), pointer: '', breaks: true };
    const { pointer: _, at = kept.curationFile.locate(`${entry}/from`), ...change } = told;
    return [{ ...change, tool, ...at }];
  }
  const told = distinct(comparison.changes({ ...pair, now }));
  const renamed = pair.renamed === undefined ? [] : [renaming(pair.renamed, now.pointer)];
  return [...renamed, ...told].map(({ pointer, at, ...change }) => ({
    ...change,
    tool,
    ...(at ?? later.document.locate(pointer)),
  }));
}

function goneText({ from }: CuratedOperation, was: ApiOperation): string {
  const known = from.operationId === undefined ? '' : `operationId ${from.operationId}, `;
  return `${known}${routeOf(was)} is not in the description`;
}

function renaming(text: string, pointer: string): Told {
  return { kind: 'renamed', text, pointer, breaks: true, curated: true };
}

/** What a schema says otherwise is told once of a tool, at the first place that leads to it. */
function distinct(told: readonly Told[]): readonly Told[] {
  const known = new Map<string, Told>();
  for (const one of told) {
    const key = `${one.kind} ${one.pointer} ${causeOf(one.text)}`;
    if (!known.has(key)) known.set(key, one);
  }
  return [...known.values()];
}
