import type { ProviderModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';

/**
 * Print `definitions.json` of a provider: what clients are told of its tools, one on each line. It
 * says again what stands in the modules of the tools, which need not be loaded for a list.
 */
export function emitProviderDefinitions({ settings, tools }: ProviderModel): EmittedFile {
  const lines = tools.map(({ definition }) => JSON.stringify(definition));
  return {
    path: `generated/providers/${settings.id}/definitions.json`,
    text: `[\n${lines.join(',\n')}\n]\n`,
  };
}
