import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic, Location } from '../../diagnostics/diagnostic.ts';
import { readProviderFolder } from '../../kinds/provider-files/provider-folder.ts';
import { type ApiOperation, routeOf } from '../../model/schema/api-operations.ts';
import type { CuratedOperation } from '../../model/shape/curation.ts';
import type { ProviderSources } from '../../model/shape/provider-sources.ts';
import { planProvider } from '../../model/vendor/plan-provider.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { readApi } from '../../read/read-api.ts';
import { openDescription } from '../description-source.ts';
import { addedOperations } from './added-operations.ts';
import type { DriftChange, Told } from './drift-change.ts';
import { OperationComparison } from './operation-changes.ts';
import { pairOperations } from './pair-operations.ts';

/** How a provider stands to a later description. */
export interface DriftReport {
  readonly provider: string;
  /** What the description calls its version. */
  readonly version: string;
  /** Tools that were compared. */
  readonly compared: number;
  readonly changes: readonly DriftChange[];
  /** Whether all of it was compared: there is an end to how much is. */
  readonly complete: boolean;
  /** Why nothing could be compared; empty otherwise. */
  readonly diagnostics: readonly Diagnostic[];
}

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
    const { document, diagnostics } = await readApi({
      file: opened.file,
      root: opened.root,
      base,
      repairs: true,
    });
    const kept = await readProviderFolder(`specs/providers/${id}`, base);
    const nothing = { provider: id, version: '', compared: 0, changes: [], complete: false };
    if (!document) return { ...nothing, diagnostics };
    if (!kept.sources) return { ...nothing, diagnostics: kept.diagnostics };
    const { origin } = opened;
    const place = (pointer: string): Location => ({
      ...document.locate(pointer),
      // What was fetched lies in a folder that is gone at once.
      ...(origin !== undefined && { file: origin }),
    });
    return driftOf(options, { document, origin, place }, kept.sources);
  } finally {
    opened.close();
  }
}

interface Later {
  readonly document: ApiDocument;
  readonly origin?: string | undefined;
  readonly place: (pointer: string) => Location;
}

/** Compare a provider with a later description that has been read. */
export function driftOf(
  { id, base }: Pick<DriftOptions, 'id' | 'base'>,
  later: Later,
  kept: ProviderSources,
): DriftReport {
  const { curation, curationFile, document } = kept;
  const { tools } = planProvider(kept).model;
  const pairs = pairOperations(curation, tools, [{ document }, later]);
  const comparison = new OperationComparison(curation, { document }, later);
  const changes = pairs.flatMap((pair): DriftChange[] => {
    const { entry, curated, now } = pair;
    const tool = curated.name;
    const here = curationFile.locate(`${entry}/from`);
    if (!now)
      return [{ ...here, kind: 'removed', tool, text: goneText(curated, pair.was), breaks: true }];
    const told = distinct(comparison.changes({ ...pair, now }));
    const renamed = pair.renamed === undefined ? [] : [renaming(pair.renamed, now.pointer)];
    return [...renamed, ...told].map(({ pointer, ...change }) => ({
      ...change,
      tool,
      ...later.place(pointer),
    }));
  });
  const text = readFileSync(join(base, 'specs/providers', id, 'curation.yaml'), 'utf8');
  const added = addedOperations({ base, id, text, pairs }, later);
  const version = String(later.document.root.info['version'] ?? '');
  const all = [...changes, ...added];
  const complete = !comparison.isCut;
  return { provider: id, version, compared: pairs.length, changes: all, complete, diagnostics: [] };
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
    const key = `${one.kind} ${one.pointer} ${one.text.replace(/^\S*[/\]}]/, '')}`;
    if (!known.has(key)) known.set(key, one);
  }
  return [...known.values()];
}
