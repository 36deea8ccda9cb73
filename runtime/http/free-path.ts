import { ConfigError } from '#contract/config/config';
import { fitsTemplate } from '#contract/surface/route-path';
import type { SurfaceEntry } from '#contract/surface/surface-module';

/**
 * Where MCP is served, no route of a surface would ever be reached. One that is served under other
 * settings keeps its path too: a switch must not take the place of MCP.
 *
 * @throws ConfigError
 */
export function requireFreePath(
  mcpPath: string,
  surfaces: readonly Pick<SurfaceEntry<never>, 'paths'>[],
): void {
  const routes = surfaces.flatMap(({ paths }) => Object.entries(paths));
  const taken = routes.find(([, path]) => fitsTemplate(path, mcpPath));
  if (!taken) return;
  const expected = `a path that is not taken by ${taken[0]}`;
  throw new ConfigError([{ variable: 'MCP_PATH', expected, received: JSON.stringify(mcpPath) }]);
}
