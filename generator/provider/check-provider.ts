import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { sortDiagnostics } from '../diagnostics/format-diagnostics.ts';
import { planProviderFolder } from '../kinds/providers.ts';
import { checkAddresses, checkDescriptionSecrets, checkFixtures } from './check-fixtures.ts';

/** What is wrong with a provider, and how much of it was looked at. */
export interface Checked {
  readonly id: string;
  readonly tools: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Check everything that `generate` checks, and besides that the fixtures and what they give away. */
export async function checkProvider(base: string, id: string): Promise<Checked> {
  const { model, diagnostics } = await planProviderFolder(base, id);
  if (model === undefined) return { id, tools: 0, diagnostics };
  const found = [
    ...checkFixtures(base, model),
    ...checkDescriptionSecrets(base, model),
    ...checkAddresses(base, model),
  ];
  const all = sortDiagnostics([...diagnostics, ...found]);
  return { id, tools: model.tools.length, diagnostics: all };
}
