import { isObject } from '#contract/json';
import { valueText } from '../document/value-text.ts';
import type { Node } from '../document/walk.ts';
import type { Told } from './told.ts';

const places = new Set(['path', 'query', 'header', 'cookie']);

/** Take a parameter that stands among the schemas for what it is, and bring it to the others. */
export function repairMisplaced(root: Node, told: Told): void {
  const { components } = root;
  if (!isObject(components) || !isObject(components['schemas'])) return;
  const { schemas } = components;
  const moved = new Map<string, string>();
  for (const [name, node] of Object.entries(schemas)) {
    if (!isParameter(node)) continue;
    const parameters = isObject(components['parameters']) ? components['parameters'] : {};
    if (Object.hasOwn(parameters, name)) continue;
    components['parameters'] = parameters;
    parameters[name] = node;
    delete schemas[name];
    moved.set(`#/components/schemas/${name}`, `#/components/parameters/${name}`);
    told(['components', 'schemas', name], `"${name}" is a parameter, and is read as one`);
  }
  if (moved.size > 0) follow(root, moved);
}

function isParameter(node: unknown): boolean {
  if (!isObject(node) || typeof node['name'] !== 'string') return false;
  return (
    places.has(valueText(node['in'])) && (isObject(node['schema']) || isObject(node['content']))
  );
}

function follow(node: unknown, moved: ReadonlyMap<string, string>): void {
  if (typeof node !== 'object' || node === null) return;
  const holder = node as Node;
  const target = moved.get(valueText(holder['$ref']));
  if (target !== undefined) holder['$ref'] = target;
  for (const member of Object.values(holder)) follow(member, moved);
}
