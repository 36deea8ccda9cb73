import { type ConfigFile, type ConfigModel, planConfig } from '../model/house/config-model.ts';
import { checkConfig } from '../model/house/config-rules.ts';
import { yamlKind } from './kind/yaml-kind.ts';

/** Environment switches of the process itself. */
export const config = yamlKind<ConfigFile, ConfigModel>({
  name: 'config',
  where: ['specs/config.yaml'],
  schema: 'config',
  plan: planConfig,
  problems: checkConfig,
});
