import { isObject } from '#contract/json';
import { isReference } from '../document/walk.ts';
import type { WorkingDocument } from '../document/working-document.ts';
import { lookUp, parsePointer } from '../text/json-pointer.ts';

/** References to references, so that a circle of them comes to an end. */
const mostHops = 100;

/**
 * Put security schemes where they are named: a scheme may be a reference (OpenAPI 3.1, components
 * object), and what stands behind it decides how every operation authenticates. What nobody names but
 * such a reference is no scheme of its own.
 */
export function placeSecuritySchemes({ root }: WorkingDocument): void {
  const { components } = root;
  const schemes = isObject(components) ? components['securitySchemes'] : undefined;
  if (!isObject(schemes)) return;
  const placed = new Set<unknown>();
  const references = Object.keys(schemes).filter((name) => isReference(schemes[name]));
  for (const name of references) {
    let scheme = schemes[name];
    for (let hop = 0; hop < mostHops && isReference(scheme); hop++) {
      scheme = lookUp(root, parsePointer(scheme.$ref.slice(1)));
    }
    if (!isObject(scheme) || isReference(scheme)) continue;
    schemes[name] = scheme;
    placed.add(scheme);
  }
  if (placed.size === 0) return;
  const named = new Set([...references, ...demandedNames(root)]);
  for (const [name, scheme] of Object.entries(schemes)) {
    if (placed.has(scheme) && !named.has(name)) delete schemes[name];
  }
}

/** The schemes that a description demands, for all operations or for one. */
function demandedNames(root: Record<string, unknown>): readonly string[] {
  const items = Object.values(isObject(root['paths']) ? root['paths'] : {}).filter(isObject);
  const operations = items.flatMap((item) => Object.values(item).filter(isObject));
  return [root, ...operations]
    .flatMap(({ security }) => (Array.isArray(security) ? security : []))
    .flatMap((demand) => (isObject(demand) ? Object.keys(demand) : []));
}
