import { type ConfigFile, type ConfigModel, planConfig } from '../model/house/config-model.ts';
import { checkConfigs } from '../model/house/config-rules.ts';
import { models, type Part } from './kind/kind.ts';
import { yamlKind } from './kind/yaml-kind.ts';
import { providers } from './providers.ts';

/** Environment switches: those of the process itself, and those of each surface in its folder. */
export const config = yamlKind<ConfigFile, ConfigModel>({
  name: 'config',
  where: ['specs/config.yaml', 'specs/surfaces/<id>/config.yaml'],
  schema: 'config',
  plan: planConfig,
  check: (parts) =>
    checkConfigs(parts.flatMap(({ model, file }) => (model && file ? [{ model, file }] : []))),
  async merge(parts) {
    const { emitConfig } = await import('../emit/house/config.ts');
    return [emitConfig(merged(parts))];
  },
  async docs(parts, specs) {
    const { emitConfigurationPage } = await import('../emit/docs/docs-configuration.ts');
    return [emitConfigurationPage(merged(parts), models(specs.of(providers)))];
  },
});

function merged(parts: readonly Part<ConfigModel>[]): ConfigModel {
  return { sections: models(parts).flatMap(({ sections }) => sections) };
}
