import { ConfigError } from '#contract/config/config';
import type { BoundRoute } from '#contract/surface/surface';

/**
 * Where MCP is served, no route of a surface would ever be reached.
 *
 * @throws ConfigError
 */
export function requireFreePath(mcpPath: string, routes: readonly BoundRoute[]): void {
  const taken = routes.find(({ route }) => matches(route.path, mcpPath));
  if (!taken) return;
  const expected = `a path that is not taken by ${taken.route.name}`;
  throw new ConfigError([{ variable: 'MCP_PATH', expected, received: JSON.stringify(mcpPath) }]);
}

/** Whether `path` fits a path with `{name}` for each parameter. */
function matches(template: string, path: string): boolean {
  const steps = path.split('/');
  const wanted = template.split('/');
  return (
    wanted.length === steps.length &&
    wanted.every((step, index) => step.includes('{') || step === steps[index])
  );
}
