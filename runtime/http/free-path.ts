import { ConfigError } from '#contract/config/config';
import { fitsTemplate } from '#contract/surface/route-path';
import type { BoundRoute } from '#contract/surface/surface';

/**
 * Where MCP is served, no route of a surface would ever be reached.
 *
 * @throws ConfigError
 */
export function requireFreePath(mcpPath: string, routes: readonly BoundRoute[]): void {
  const taken = routes.find(({ route }) => fitsTemplate(route.path, mcpPath));
  if (!taken) return;
  const expected = `a path that is not taken by ${taken.route.name}`;
  throw new ConfigError([{ variable: 'MCP_PATH', expected, received: JSON.stringify(mcpPath) }]);
}
