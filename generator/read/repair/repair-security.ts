import { isObject } from '#contract/json';
import type { Node } from '../document/walk.ts';
import type { Path } from '../text/origins.ts';
import type { Told } from './told.ts';

/**
 * Read a requirement of a scheme that is not declared as the only one that is: frameworks that take
 * its name from code write that of a role or of a scope.
 */
export function securityRepair(root: Node, told: Told): (holder: Node, path: Path) => void {
  const { components, securityDefinitions } = root;
  const schemes =
    securityDefinitions ?? (isObject(components) ? components['securitySchemes'] : undefined);
  const names = isObject(schemes) ? Object.keys(schemes) : [];
  const [only] = names;
  if (only === undefined || names.length > 1) return () => {};
  const known = new Set<string>();
  return ({ security }, path) => {
    if (!Array.isArray(security)) return;
    for (const [index, entry] of security.entries()) {
      if (!isObject(entry)) continue;
      const [name, ...others] = Object.keys(entry);
      if (name === undefined || others.length > 0 || name === only) continue;
      security[index] = { [only]: [] };
      if (known.has(name)) continue;
      known.add(name);
      const message = `no security scheme is called "${name}"; it is read as "${only}", the only one`;
      told([...path, 'security', index], message);
    }
  };
}
