import { isObject } from '#contract/json';
import type { Node } from '../document/walk.ts';
import type { Path } from '../text/origins.ts';
import type { Told } from './told.ts';

/** What tools that export collections of requests write where nothing is sent. */
const noScheme = /^no-?(?:auth|ne)$/i;

/**
 * Read a requirement of a scheme that is not declared as the only one that is: frameworks that take
 * its name from code write that of a role or of a scope. One of a scheme that is none asks for nothing.
 */
export function securityRepair(root: Node, told: Told): (holder: Node, path: Path) => void {
  const { components, securityDefinitions } = root;
  const schemes =
    securityDefinitions ?? (isObject(components) ? components['securitySchemes'] : undefined);
  const empty = isObject(schemes) ? takeEmpty(schemes) : new Set();
  const names = isObject(schemes) ? Object.keys(schemes) : [];
  const [only, another] = names;
  if (empty.size === 0 && (only === undefined || another !== undefined)) return () => {};
  const known = new Set<string>();
  return ({ security }, path) => {
    if (!Array.isArray(security)) return;
    for (const [index, entry] of security.entries()) {
      if (!isObject(entry)) continue;
      const [name, ...others] = Object.keys(entry);
      if (name === undefined || others.length > 0 || name === only) continue;
      if (empty.has(name)) {
        security[index] = {};
        told([...path, 'security', index], `"${name}" is no scheme: nothing is asked for`);
        continue;
      }
      if (only === undefined || another !== undefined) continue;
      security[index] = { [only]: [] };
      if (known.has(name)) continue;
      known.add(name);
      const message = `no security scheme is called "${name}"; it is read as "${only}", the only one`;
      told([...path, 'security', index], message);
    }
  };
}

/** Take out the schemes by which nothing is sent; gives their names. */
function takeEmpty(schemes: Node): ReadonlySet<string> {
  const found = Object.entries(schemes).filter(
    ([, scheme]) =>
      isObject(scheme) && scheme['type'] === 'http' && noScheme.test(String(scheme['scheme'])),
  );
  for (const [name] of found) delete schemes[name];
  return new Set(found.map(([name]) => name));
}
