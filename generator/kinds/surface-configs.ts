import { checkSurfaceConfigs } from '../model/house/config-rules.ts';
import {
  planSurfaceConfig,
  type SurfaceConfigFile,
  type SurfaceConfigModel,
} from '../model/house/surface-config.ts';
import { config } from './config.ts';
import type { Part } from './kind/kind.ts';
import { yamlKind } from './kind/yaml-kind.ts';

/** Name, switch and settings of each surface. */
export const surfaceConfigs = yamlKind<SurfaceConfigFile, SurfaceConfigModel>({
  name: 'config of surfaces',
  where: ['specs/surfaces/<id>/config.yaml'],
  schema: 'surface-config',
  plan: (content, { id }) => planSurfaceConfig(content, id),
  check: (parts, specs) => checkSurfaceConfigs(located(parts), located(specs.of(config))),
  async print(model) {
    const { emitSurfaceConfig } = await import('../emit/surfaces/surface-config.ts');
    return emitSurfaceConfig(model);
  },
});

function located<Model>(parts: readonly Part<Model>[]) {
  return parts.flatMap(({ model, file }) => (model && file ? [{ model, file }] : []));
}
