import { isObject } from '#contract/json';
import { bareMap } from '../document/bare-map.ts';
import type { Node } from '../document/walk.ts';
import type { Path } from '../text/origins.ts';
import type { Told } from './told.ts';

/** How RAML writes an expression where a member has its name. */
const expression = /^\/\^[\s\S]*\/$/;

/**
 * Read members whose names are expressions between slashes as members that match them: that is what
 * converters from RAML leave. No member is needed by such a name.
 */
export function repairNamePatterns(
  node: Node,
  { path, told }: { readonly path: Path; readonly told: Told },
): void {
  const { properties, patternProperties: known, required } = node;
  const names = isObject(properties) ? Object.keys(properties).filter(isExpression) : [];
  const canMove = known === undefined || isObject(known);
  if (isObject(properties) && names.length > 0 && canMove) {
    const patterns: Node = bareMap(known);
    for (const name of names) {
      patterns[name] ??= properties[name];
      delete properties[name];
      const message = `${JSON.stringify(name)} is no name; it is read as a pattern of names`;
      told([...path, 'properties'], message);
    }
    node['patternProperties'] = patterns;
  }
  if (!Array.isArray(required) || !required.some(isExpression)) return;
  const needed = required.filter((name) => !isExpression(name));
  if (needed.length > 0) node['required'] = needed;
  else delete node['required'];
  told([...path, 'required'], 'a pattern of names is no name that an object can need: left out');
}

function isExpression(name: unknown): boolean {
  return typeof name === 'string' && expression.test(name);
}
