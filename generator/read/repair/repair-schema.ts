import { isObject } from '#contract/json';
import type { Version } from '../document/document-version.ts';
import type { Node } from '../document/walk.ts';
import type { Path } from '../text/origins.ts';
import { readAsBefore31 } from './repair-later-words.ts';
import { repairNamePatterns } from './repair-name-patterns.ts';
import { repairPattern } from './repair-pattern.ts';
import type { Told } from './told.ts';

/** Types of programming languages, and formats in the place of types. */
const types: Readonly<Record<string, Node>> = {
  int: { type: 'integer' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  long: { type: 'integer', format: 'int64' },
  float: { type: 'number' },
  double: { type: 'number' },
  decimal: { type: 'number' },
  bool: { type: 'boolean' },
  text: { type: 'string' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  'date-time': { type: 'string', format: 'date-time' },
  uuid: { type: 'string', format: 'uuid' },
  email: { type: 'string', format: 'email' },
  dict: { type: 'object' },
  map: { type: 'object' },
  json: {},
  any: {},
};
const ownTypes = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/** Read types by other names, patterns of other languages, and `required` beside the property that it is about. */
export function repairSchema(
  node: Node,
  version: Version,
  { path, told }: { readonly path: Path; readonly told: Told },
): void {
  repairNamePatterns(node, { path, told });
  const { type, properties } = node;
  repairPattern(node, { path, told });
  if (version === '2.0' || version === '3.0') readAsBefore31(node, version, { path, told });
  const meant = typeof type === 'string' ? meantBy(type, version) : undefined;
  if (meant) {
    delete node['type'];
    for (const [key, value] of Object.entries(meant)) node[key] ??= value;
    const shown = meant['type'] ?? 'anything';
    told([...path, 'type'], `there is no type "${type}"; it is read as ${shown}`);
  }
  if (!isObject(properties)) return;
  for (const [property, schema] of Object.entries(properties)) {
    if (!isObject(schema) || typeof schema['required'] !== 'boolean') continue;
    const isRequired = schema['required'];
    delete schema['required'];
    const { required = [] } = node;
    if (isRequired && Array.isArray(required) && !required.includes(property)) {
      node['required'] = [...required, property];
    }
    told([...path, 'properties', property], '"required" is read as that of the object around it');
  }
}

function meantBy(type: string, version: Version): Node | undefined {
  if (ownTypes.has(type)) return undefined;
  const name = type.toLowerCase();
  if (ownTypes.has(name)) return { type: name };
  // Swagger 2.0 has this type.
  if (name === 'file') return version === '2.0' ? undefined : { type: 'string', format: 'binary' };
  return Object.hasOwn(types, name) ? types[name] : undefined;
}
