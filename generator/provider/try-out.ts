import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkProvider } from './check-provider.ts';
import { type CurationDraft, curationText } from './draft/curation-text.ts';
import { type DraftSource, draftCuration, type Survey } from './draft/draft-curation.ts';
import { draftFiles, requestsOf } from './draft/draft-files.ts';
import { writeProvider } from './draft/write-provider.ts';
import { mostSwitchedOn } from './operations/choose-operations.ts';

/**
 * The most useful tools that generate and check without an error, each tried on its own: one broken
 * corner of a vendor's description should not keep the rest out. Where no read is among them, the
 * first operation that is: a curation needs one.
 */
export async function usableTools(source: DraftSource, survey: Survey): Promise<Set<string>> {
  const { operations, ...draft } = draftCuration(source, survey, new Set(survey.names));
  const byName = new Map(operations.map((entry) => [entry.operation.name, entry]));
  const base = mkdtempSync(join(tmpdir(), 'provider-'));
  const find = async (candidates: readonly string[], most: number) => {
    const usable = new Set<string>();
    for (const name of candidates) {
      const entry = byName.get(name);
      if (usable.size === most) break;
      if (entry && (await generates(source, { ...draft, operations: [entry] }, base))) {
        usable.add(name);
      }
    }
    return usable;
  };
  try {
    const reads = await find(survey.ranked, mostSwitchedOn);
    if (reads.size > 0) return reads;
    return await find(
      survey.names.filter((name) => !survey.ranked.includes(name)),
      1,
    );
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function generates(
  { id, document, licence }: DraftSource,
  draft: CurationDraft,
  base: string,
): Promise<boolean> {
  rmSync(join(base, 'specs'), { recursive: true, force: true });
  writeProvider(base, id, [
    { name: 'curation.yaml', text: curationText(draft), keep: false },
    ...draftFiles(document, requestsOf(draft), licence),
  ]);
  const { diagnostics } = await checkProvider(base, id);
  return diagnostics.every(({ severity }) => severity !== 'error');
}
