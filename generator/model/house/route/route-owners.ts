import { fitsTemplate } from '#contract/surface/route-path';
import { diagnose } from '../../../diagnostics/diagnose.ts';
import type { Diagnostic, Location } from '../../../diagnostics/diagnostic.ts';
import type { SurfaceModel } from '../surface-model.ts';

/** A path that no surface can have, because the server itself is asked there. */
export interface OwnPath {
  readonly path: string;
  /** What says so. */
  readonly source: string;
}

/** The route that has a method and path. */
interface Owner {
  readonly surface: string;
  readonly path: string;
  readonly at: Location;
}

/** All routes are served at one address: say which of them are taken already (SURF008). */
export function checkRoutes(
  surfaces: readonly Pick<SurfaceModel, 'id' | 'demands'>[],
  own: readonly OwnPath[],
): Diagnostic[] {
  const owners = new Map<string, Owner>();
  return surfaces.flatMap(({ id: surface, demands }) =>
    demands.flatMap(({ route, at }) => {
      if (route === undefined) return [];
      const { method, path } = route;
      const taken = own.find((one) => fitsTemplate(path, one.path));
      if (taken) {
        const message = `${method} ${path}: the server itself is asked at ${taken.path}, ${taken.source}`;
        return [diagnose('SURF008', at, message)];
      }
      // Whatever its parameters are called, a path fits the same URLs.
      const key = `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`;
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, { surface, path, at });
      if (owner === undefined) return [];
      const who = owner.surface === surface ? 'this surface' : `the surface ${owner.surface}`;
      const message = `${method} ${path} is served by ${who} too, as ${owner.path}`;
      const { file, line, column } = owner.at;
      const related = [{ file, line, column, message: 'first' }];
      return [diagnose('SURF008', at, message, { related })];
    }),
  );
}
