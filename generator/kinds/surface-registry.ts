import { config } from './config.ts';
import { type Kind, models } from './kind/kind.ts';
import { surfaceConfigs } from './surface-configs.ts';
import { surfaces } from './surfaces.ts';

/** The list of all surfaces, from which the server loads those that are enabled. */
export const surfaceRegistry: Kind<never> = {
  name: 'list of surfaces',
  where: [],
  plan: () => ({ diagnostics: [] }),
  async merge(_, specs) {
    const all = models(specs.of(surfaces));
    if (all.length === 0) return [];
    const { emitSurfaceRegistry } = await import('../emit/surfaces/surface-registry.ts');
    const configs = models(specs.of(surfaceConfigs));
    const switches = models(specs.of(config)).flatMap(({ sections }) =>
      sections.flatMap((section) => section.switches),
    );
    const properties = new Map(switches.map(({ entry, property }) => [entry.env, property]));
    const registered = all.map(({ id, title = id, tools, routes }) => {
      const own = configs.find((one) => one.id === id);
      const paths = Object.fromEntries(routes.map(({ name, path }) => [name, path]));
      return { id, title: own?.title ?? title, tools: tools.length, paths, config: own };
    });
    return [emitSurfaceRegistry(registered, properties)];
  },
};
