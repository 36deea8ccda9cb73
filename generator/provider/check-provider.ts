import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { sortDiagnostics } from '../diagnostics/format-diagnostics.ts';
import { readProviderFolder } from '../kinds/provider-files/provider-folder.ts';
import type { ProviderSources } from '../model/shape/provider-sources.ts';
import { planProvider } from '../model/vendor/plan-provider.ts';
import { checkAddresses, checkDescriptionSecrets, checkFixtures } from './check-fixtures.ts';
import { checkPages } from './check-pages.ts';
import { type ReservedIds, reservedIds } from './reserved-ids.ts';

/** What is wrong with a provider, and how much of it was looked at. */
export interface Checked {
  readonly id: string;
  readonly tools: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Check what `generate` checks, but for what was published before, and the fixtures and what they give away. */
export async function checkProvider(
  base: string,
  id: string,
  reserved: ReservedIds = reservedIds(base),
): Promise<Checked> {
  const read = await readProviderFolder(`specs/providers/${id}`, base);
  if (read.sources === undefined) return { id, tools: 0, diagnostics: read.diagnostics };
  const planned = planProvider(read.sources);
  const named = checkId(id, reserved.get(id), read.sources);
  const diagnostics = [...read.diagnostics, ...planned.diagnostics, ...named];
  const { model } = planned;
  if (model === undefined) return { id, tools: 0, diagnostics };
  const found = [
    ...checkFixtures(base, model),
    ...checkDescriptionSecrets(base, model),
    ...checkAddresses(base, model),
    ...checkPages(read.sources, model),
  ];
  const all = sortDiagnostics([...diagnostics, ...found]);
  return { id, tools: model.tools.length, diagnostics: all };
}

/** Whoever named it would mean something else, or both. */
function checkId(
  id: string,
  meaning: string | undefined,
  { curationFile }: ProviderSources,
): readonly Diagnostic[] {
  if (meaning === undefined) return [];
  const at = { ...curationFile.locate('/provider'), pointer: '/provider' };
  return [
    diagnose('P024', at, `"${id}" is ${meaning} already`, {
      help: 'give the provider, and its folder, a name that nothing else has',
    }),
  ];
}
