import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { planProviderFolder } from '../kinds/providers.ts';
import { apiOperations } from '../model/schema/api-operations.ts';
import type { CuratedOperation } from '../model/shape/curation.ts';
import type { ToolModel } from '../model/shape/provider-model.ts';
import { checkAddresses, checkDescriptionSecrets, checkFixtures } from './check-fixtures.ts';
import { type CurationDraft, curationText } from './draft/curation-text.ts';
import type { DraftSource, Survey } from './draft/draft-curation.ts';
import { draftFixtures, requestsOf, trialDescription } from './draft/draft-files.ts';
import { writeProvider } from './draft/write-provider.ts';
import { brokenReferences } from './operations/broken-references.ts';
import { heldReason, mostSwitchedOn } from './operations/choose-operations.ts';

/** Where no operation only reads, so many of the others are switched on. */
const mostOthers = 5;

/** So many of those for which a person has to be asked, where there is nothing else: a provider has one operation. */
const mostHeld = 1;

/** What of a description can be used as it is. */
export interface TryOut {
  /** Names of the tools. */
  readonly usable: ReadonlySet<string>;
  /** What becomes of them. */
  readonly tools: readonly ToolModel[];
  /** What kept the others that were tried out, the first error of each. */
  readonly refused: readonly Diagnostic[];
  /** Those whose parameters or body hold a reference that leads nowhere. */
  readonly unfollowed: readonly SwitchedOff[];
  /** Those that were made, and did not check. */
  readonly failed: readonly SwitchedOff[];
}

/** A tool that stays switched off, and why: a reference that cannot be followed, or its first error. */
export interface SwitchedOff {
  readonly name: string;
  readonly diagnostic: Diagnostic;
}

/**
 * The most useful tools that generate and check without an error, each tried on its own unless all
 * of them do: one broken corner of a vendor's description should not keep the rest out. Where no read
 * is among them, the first operations that are and that take nothing away. A curation needs one: where all of them take something away, it is
 * the first, and its mark says so.
 *
 * @param drafted a draft in which all of them are switched on
 */
export async function tryOut(
  source: DraftSource,
  survey: Survey,
  drafted: CurationDraft,
): Promise<TryOut> {
  const { operations, ...draft } = drafted;
  const byName = new Map(operations.map((entry) => [entry.operation.name, entry]));
  const base = mkdtempSync(join(tmpdir(), 'provider-'));
  const { all } = apiOperations(source.document);
  const tools = new Map<string, ToolModel>();
  const tried = async (operations: CurationDraft['operations']) => {
    const trial = await tryDraft(source, { ...draft, operations }, base);
    for (const tool of trial.tools) tools.set(tool.definition.name, tool);
    return trial.fault;
  };
  // Of those that are called the same, the first.
  const byId = new Map(all.toReversed().map((each) => [each.id, each]));
  const byRoute = new Map(all.toReversed().map((each) => [`${each.method} ${each.path}`, each]));
  const operationOf = ({ from }: CuratedOperation) =>
    'operationId' in from ? byId.get(from.operationId) : byRoute.get(`${from.method} ${from.path}`);
  const brokenOf = brokenReferences(source);
  const unfollowed = operations.flatMap(({ operation }): SwitchedOff[] => {
    const diagnostic = brokenOf(operationOf(operation));
    return diagnostic ? [{ name: operation.name, diagnostic }] : [];
  });
  const broken = new Set(unfollowed.map(({ name }) => name));
  const faults = new Map<string, Diagnostic>();
  /** The first of them, where nothing is wrong with any: then one look at all is enough. */
  const together = async (candidates: readonly string[], most: number) => {
    const first = candidates.slice(0, most);
    const operations = first.flatMap((name) => byName.get(name) ?? []);
    if (operations.length === 0) return undefined;
    if (first.some((name) => broken.has(name))) return undefined;
    const fault = await tried(operations);
    return fault ? undefined : new Set(first);
  };
  const find = async (candidates: readonly string[], most: number) => {
    const sound = await together(candidates, most);
    if (sound) return sound;
    const usable = new Set<string>();
    for (const name of candidates) {
      const entry = byName.get(name);
      if (usable.size === most) break;
      if (!entry || broken.has(name)) continue;
      const fault = await tried([entry]);
      if (fault) faults.set(name, fault);
      else usable.add(name);
    }
    return usable;
  };
  const result = (usable: ReadonlySet<string>): TryOut => ({
    ...{ usable, unfollowed },
    refused: [...unfollowed.map(({ diagnostic }) => diagnostic), ...faults.values()],
    failed: [...faults].map(([name, diagnostic]) => ({ name, diagnostic })),
    tools: [...usable].flatMap((name) => tools.get(name) ?? []),
  });
  try {
    const ranked = new Set(survey.ranked);
    const others = survey.names.filter((name) => !ranked.has(name));
    const harmless = others.filter((name) => !survey.destroying.has(name));
    const isFree = (name: string) => !survey.obstacles.has(name);
    const asides = new Set(survey.names.filter((_, index) => isAside(survey, index)));
    for (const [names, most] of [
      [survey.ranked.filter(isFree), mostSwitchedOn],
      [harmless.filter((name) => isFree(name) && !asides.has(name)), mostOthers],
      // Their marks say what a person has to settle first.
      [survey.ranked, mostSwitchedOn],
      [harmless.filter((name) => !asides.has(name)), mostOthers],
      [harmless, mostHeld],
    ] as const) {
      const found = await find(names, most);
      if (found.size > 0) return result(found);
    }
    const destroying = others.filter((name) => survey.destroying.has(name));
    return result(await find(destroying, 1));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function isAside({ natures, asides }: Survey, index: number): boolean {
  const nature = natures[index];
  return nature !== undefined && (asides.has(nature) || heldReason(nature) !== undefined);
}

/** The tools of a provider with such operations, and its first error; it is written to see. */
async function tryDraft(
  { id, document, texts }: DraftSource,
  draft: CurationDraft,
  base: string,
): Promise<{ readonly tools: readonly ToolModel[]; readonly fault: Diagnostic | undefined }> {
  rmSync(join(base, 'specs'), { recursive: true, force: true });
  const requests = requestsOf(draft);
  writeProvider(base, id, [
    { name: 'curation.yaml', text: curationText(draft), keep: false },
    trialDescription(document, requests, texts),
  ]);
  const { model, diagnostics } = await planProviderFolder(base, id);
  const fault = diagnostics.find(isError);
  if (fault || !model) return { tools: [], fault };
  const { tools } = model;
  writeProvider(base, id, draftFixtures(document, requests, tools));
  // Whatever `provider check` would object to afterwards.
  const found = [
    ...checkFixtures(base, model),
    ...checkDescriptionSecrets(base, model),
    ...checkAddresses(base, model),
  ];
  return { tools, fault: found.find(isError) };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}
