import { isObject } from '#contract/json';
import { bareMap } from '../document/bare-map.ts';
import type { Version } from '../document/document-version.ts';
import { valueText } from '../document/value-text.ts';
import { isReference, type Node } from '../document/walk.ts';
import { lookUp, parsePointer } from '../text/json-pointer.ts';
import type { Path } from '../text/origins.ts';
import { meantAuthorization } from './meant-authorization.ts';
import type { Told } from './told.ts';

/** What a parameter of Swagger 2.0 says of its values itself, and one of OpenAPI 3 in its schema. */
const ofValues = [
  ...['type', 'format', 'items', 'enum', 'default', 'pattern', 'multipleOf', 'uniqueItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems'],
];

/** Read a parameter that is written as the other version of the specification has it. */
export function repairParameter(
  node: Node,
  version: Version,
  { path, told }: { readonly path: Path; readonly told: Told },
): void {
  if (typeof node['$ref'] === 'string') return;
  const { required, schema } = node;
  if (required === 'true' || required === 'false') {
    node['required'] = required === 'true';
    told([...path, 'required'], `"required" must be true or false; "${required}" is read so`);
  }
  if (node['in'] === 'body') return;
  repairName(node, { path, told });
  if (node['in'] === 'path' && node['required'] !== true) {
    node['required'] = true;
    told(path, 'a path parameter must say "required: true"; it is read so');
  }
  if (version === '2.0') {
    if (isObject(schema) && node['type'] === undefined) liftSchema(node, schema);
    else if (node['type'] === undefined || node['type'] === 'object') node['type'] = 'string';
    else return;
    delete node['schema'];
    told(path, 'what the values of a parameter are stands beside its name in Swagger 2.0');
    return;
  }
  repairStyle(node, { path, told });
  if (schema !== undefined || node['content'] !== undefined) return;
  const inner: Node = bareMap();
  for (const key of ofValues) {
    if (node[key] === undefined) continue;
    inner[key] = node[key];
    delete node[key];
  }
  if (Object.keys(inner).length === 0) inner['type'] = 'string';
  node['schema'] = inner;
  told(path, 'a parameter must have "schema"; what stands beside its name is read as one');
}

/** A header that is called what no header can be called, and means the usual one of credentials. */
function repairName(node: Node, { path, told }: { readonly path: Path; readonly told: Told }) {
  const { name, in: place, description } = node;
  if (place !== 'header' || typeof name !== 'string') return;
  const meant = meantAuthorization(name);
  if (meant === undefined) return;
  node['name'] = 'Authorization';
  const said = [meant === 'bearer' ? 'Bearer token.' : '', description ?? ''].filter(Boolean);
  if (said.length > 0) node['description'] = said.join(' ');
  told([...path, 'name'], `no header can be called "${name}"; it is read as "Authorization"`);
}

/**
 * The parameter that a reference with `required: true` beside it means, where the parameter itself may be
 * left out: whoever writes that demands it here, though what stands beside a reference is ignored
 * (OpenAPI 3.1, reference object).
 */
export function demandedBeside(reference: Node, root: Node): Node | undefined {
  if (!isReference(reference) || reference['required'] !== true) return undefined;
  if (!reference.$ref.startsWith('#')) return undefined;
  const target = lookUp(root, parsePointer(reference.$ref.slice(1)));
  if (!isObject(target) || typeof target['name'] !== 'string') return undefined;
  if (target['in'] === 'body' || target['required'] === true) return undefined;
  const { description = target['description'] } = reference as Node;
  const said = description === undefined ? {} : { description };
  return bareMap(target, said, { required: true });
}

/** The styles of each place (OpenAPI 3.1, style values). */
const styles: ReadonlyMap<string, readonly string[]> = new Map([
  ['path', ['matrix', 'label', 'simple']],
  ['query', ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject']],
  ['header', ['simple']],
]);

/** A style that its place does not have cannot be written: values go as they usually do. */
function repairStyle(node: Node, { path, told }: { readonly path: Path; readonly told: Told }) {
  const { style, in: place } = node;
  const known = styles.get(valueText(place));
  if (style === undefined || !known || known.includes(valueText(style))) return;
  if (typeof style !== 'string') return;
  delete node['style'];
  told([...path, 'style'], `there is no style "${style}" in ${place}; the usual one is read`);
}

function liftSchema(node: Node, schema: Node): void {
  for (const key of ofValues) {
    if (schema[key] !== undefined && node[key] === undefined) node[key] = schema[key];
  }
  if (node['type'] === undefined || node['type'] === 'object') node['type'] = 'string';
}
