import type { ProviderModel, ToolModel } from '../model/shape/provider-model.ts';
import { planProvider } from '../model/vendor/plan-provider.ts';
import type { Kind, Planned, Specs } from './kind/kind.ts';
import { models } from './kind/kind.ts';
import { folderNames } from './kind/places.ts';
import { presets } from './presets.ts';
import { readProviderFolder } from './provider-files/provider-folder.ts';

/** The vendors whose APIs become tools, one folder each. */
export const providers: Kind<ProviderModel> = {
  name: 'providers',
  where: ['specs/providers/<id>/'],
  plan: ({ base, id }) => planProviderFolder(base, id),
  tools: ({ tools }) => tools.map(publishedTool),
  async print(model) {
    const { emitProvider } = await import('../emit/providers/provider-files.ts');
    return emitProvider(model);
  },
  async merge(_, specs) {
    const { emitProviderMap } = await import('../emit/providers/provider-map.ts');
    const all = presetProviders(specs);
    return all.length === 0 ? [] : [emitProviderMap(all)];
  },
  async docs(_, specs) {
    const { emitProviderPage } = await import('../emit/docs/docs-providers.ts');
    return presetProviders(specs).map(emitProviderPage);
  },
};

/** The ids of the providers that have a folder, sorted by code unit. */
export function providerIds(base: string): string[] {
  return folderNames(base, 'specs/providers');
}

/** Read and plan one provider. */
export async function planProviderFolder(
  base: string,
  id: string,
): Promise<Planned<ProviderModel>> {
  const { sources, diagnostics } = await readProviderFolder(`specs/providers/${id}`, base);
  if (sources === undefined) return { diagnostics };
  const { model, diagnostics: found } = planProvider(sources);
  return { model, file: sources.curationFile, diagnostics: [...diagnostics, ...found] };
}

function publishedTool({
  definition,
  origin,
  request: { server },
  pointer,
  wholeInput: whole,
}: ToolModel) {
  const route = `${origin.method} ${origin.path}`;
  const request = server === undefined ? route : `${route} ${server}`;
  return { definition, request, whole, pointer };
}

/** The providers with the presets that name them, besides those that they name themselves. */
function presetProviders(specs: Specs): ProviderModel[] {
  const listed = models(specs.of(presets)).flat();
  return models(specs.of(providers)).map((model) => {
    const own = listed.filter(({ provider }) => provider === model.settings.id);
    return {
      ...model,
      presets: [...new Set([...own.map(({ preset }) => preset), ...model.presets])],
    };
  });
}
