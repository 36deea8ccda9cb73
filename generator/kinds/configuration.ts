import { config } from './config.ts';
import { type Kind, models } from './kind/kind.ts';
import { providers } from './providers.ts';
import { surfaceConfigs } from './surface-configs.ts';

/** All switches together: those of the process, and those of the surfaces. */
export const configuration: Kind<never> = {
  name: 'configuration',
  where: [],
  plan: () => ({ diagnostics: [] }),
  async merge(_, specs) {
    const [own] = models(specs.of(config));
    if (own === undefined) return [];
    const { emitConfig } = await import('../emit/house/config.ts');
    return [emitConfig(own, models(specs.of(surfaceConfigs)))];
  },
  async docs(_, specs) {
    const { emitConfigurationPage } = await import('../emit/docs/docs-configuration.ts');
    const sections = [
      ...models(specs.of(config)).flatMap((own) => own.sections),
      ...models(specs.of(surfaceConfigs)),
    ];
    return [emitConfigurationPage({ sections }, models(specs.of(providers)))];
  },
};
