import type { ProviderModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { providerSkill } from '../skills/provider-skill.ts';
import { emitSkill } from '../skills/skill.ts';
import { emitProviderDefinitions } from './provider-definitions.ts';
import { emitProviderIndex } from './provider-index.ts';
import { emitResource } from './provider-resource.ts';
import { emitProviderSearch } from './provider-search.ts';
import { emitProviderWholes } from './provider-wholes.ts';

/** Print all files of one provider. */
export function emitProvider(model: ProviderModel): EmittedFile[] {
  const resources = [...new Set(model.tools.map(({ resource }) => resource))];
  return [
    emitProviderIndex(model),
    ...resources.map((resource) =>
      emitResource(
        model,
        resource,
        model.tools.filter((tool) => tool.resource === resource),
      ),
    ),
    emitProviderDefinitions(model),
    ...emitProviderWholes(model),
    emitProviderSearch(model),
    ...emitSkill(providerSkill(model)),
  ];
}
