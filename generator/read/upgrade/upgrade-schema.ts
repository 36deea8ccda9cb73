import { isObject } from '#contract/json';
import { keywordsWhere } from '#contract/schema/keywords';
import { bareMap } from '../document/bare-map.ts';
import { valueText } from '../document/value-text.ts';
import { isReference, type Node } from '../document/walk.ts';
import type { Origins, Path } from '../text/origins.ts';

/** Keywords that say something about a schema without limiting its values. */
const annotations = keywordsWhere(({ about }) => about === 'reader');

/**
 * Rewrite a Schema Object of an older dialect to JSON Schema 2020-12, in place. Vendors write the
 * old keywords in newer versions too, where they mean nothing: there they are taken at their word.
 */
export function upgradeSchema(node: Node, path: Path, origins: Origins): void {
  if (node['type'] === 'file') asFile(node);
  upgradeTold(node, path, origins);
  upgradeBound(node, 'minimum', 'exclusiveMinimum');
  upgradeBound(node, 'maximum', 'exclusiveMaximum');
  nameLongFormat(node);
  dropOwnBounds(node);
  boundByFormat(node);
  digitsByFormat(node);
  upgradeFormat(node, path);
  upgradeItems(node, path, origins);
  upgradeDependencies(node, path, origins);
  upgradeExample(node, path, origins);
  if (typeof node['discriminator'] === 'string') {
    const discriminator: Node = bareMap({
      propertyName: node['discriminator'],
    });
    node['discriminator'] = discriminator;
  }
  // Nobody means that nothing is allowed; JSON Schema drafts before 2019-09 forbid an empty list.
  if (Array.isArray(node['enum']) && node['enum'].length === 0) delete node['enum'];
  // Validators of those drafts compile no schema that names one of these twice.
  for (const keyword of ['enum', 'required', 'type']) {
    if (Array.isArray(node[keyword])) node[keyword] = distinct(node[keyword]);
  }
  // References are resolved, so that nothing may depend on where a schema says it lives.
  for (const keyword of ['$id', '$schema']) if (keyword in node) delete node[keyword];
  upgradeNullable(node, path, origins);
}

const anyBytes = 'application/octet-stream';

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Drop what stands beside a `$ref` (OpenAPI 3.0.4, Reference Object), but for the description. */
export function dropSiblings(node: Node, keepsRequired: boolean): boolean {
  if (!isReference(node)) return false;
  const kept = ['$ref', 'description', ...(keepsRequired ? ['required'] : [])];
  const ignored = Object.keys(node).filter((key) => !kept.includes(key));
  for (const key of ignored) delete node[key];
  return ignored.some((key) => !key.startsWith('x-'));
}

/** A file is any text of bytes (Swagger 2.0, `type: file`). */
function asFile(node: Node): void {
  delete node['type'];
  delete node['format'];
  node['contentMediaType'] = anyBytes;
}

/** Swagger 2.0 has no word for a choice; generators of its descriptions say `x-one-of` beside `allOf`. */
function upgradeTold(node: Node, path: Path, origins: Origins): void {
  const { 'x-one-of': isChoice, allOf, oneOf } = node;
  delete node['x-one-of'];
  if (isChoice !== true || !Array.isArray(allOf) || oneOf !== undefined) return;
  move(node, 'allOf', 'oneOf', { path, origins });
}

function upgradeBound(node: Node, bound: string, exclusive: string): void {
  if (typeof node[exclusive] !== 'boolean') return;
  const limit = node[bound];
  if (node[exclusive] && typeof limit === 'number') {
    node[exclusive] = limit;
    delete node[bound];
  } else delete node[exclusive];
}

/** The ends of 64 bits: as JSON numbers they are rounded to what lies beyond them. */
const ends: ReadonlyMap<string, readonly [least: number, most: number]> = new Map([
  ['int64', [-(2 ** 63), 2 ** 63]],
  ['uint64', [-1, 2 ** 64]],
]);

/**
 * A whole number without format whose own bounds or examples are beyond what readers of JSON keep is one of
 * 64 bits (RFC 8259, section 6).
 */
function nameLongFormat(node: Node): void {
  if (node['format'] !== undefined || ![node['type']].flat().includes('integer')) return;
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, default: start, example } = node;
  const least = [minimum, exclusiveMinimum];
  const told = [...least, maximum, exclusiveMaximum, start, example, node['examples']].flat();
  const numbers = told.filter((value) => typeof value === 'number');
  if (numbers.every((value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return;
  const fits = (format: string) => {
    const [lowest = 0, highest = 0] = ends.get(format) ?? [];
    return numbers.every((value) => value >= lowest && value <= highest);
  };
  if (fits('int64')) node['format'] = 'int64';
  else if (fits('uint64') && least.some((value) => typeof value === 'number' && value >= 0))
    node['format'] = 'uint64';
}

/** A bound that the format itself draws says nothing, and rounded it would promise too much. */
function dropOwnBounds(node: Node): void {
  const [least, most] = ends.get(valueText(node['format'])) ?? [];
  if (least === undefined || most === undefined) return;
  for (const bound of ['minimum', 'exclusiveMinimum']) {
    if (typeof node[bound] === 'number' && node[bound] <= least) delete node[bound];
  }
  for (const bound of ['maximum', 'exclusiveMaximum']) {
    if (typeof node[bound] === 'number' && node[bound] >= most) delete node[bound];
  }
}

/** What formats of few bits, and those without a sign, hold (OpenAPI Format Registry). */
const ranges: Readonly<Record<string, readonly [least: number, most?: number]>> = {
  int8: [-(2 ** 7), 2 ** 7 - 1],
  int16: [-(2 ** 15), 2 ** 15 - 1],
  uint8: [0, 2 ** 8 - 1],
  uint16: [0, 2 ** 16 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0],
};

/** Say as bounds what only the name of a format says: models know no such name, and nothing else checks it. */
function boundByFormat(node: Node): void {
  const { type, format, minimum, exclusiveMinimum, maximum, exclusiveMaximum } = node;
  if (![type].flat().includes('integer') || typeof format !== 'string') return;
  const [least, most] = Object.hasOwn(ranges, format) ? (ranges[format] ?? []) : [];
  if (least === undefined) return;
  if (minimum === undefined && exclusiveMinimum === undefined) node['minimum'] = least;
  if (most === undefined || maximum !== undefined || exclusiveMaximum !== undefined) return;
  node['maximum'] = most;
}

/**
 * Bytes are described by their encoding (OpenAPI 3.1.2, section 4.8.14.4). What is nothing but bytes is sent
 * as such: springdoc calls every array of bytes `byte`.
 */
function upgradeFormat(node: Node, path: Path): void {
  const { format } = node;
  const isWhole = path.at(-1) === 'schema' && path.at(-2) === anyBytes;
  if (format === 'binary' || (format === 'byte' && isWhole)) {
    delete node['format'];
    node['contentMediaType'] ??= anyBytes;
  } else if (typeof format === 'string' && Object.hasOwn(encodings, format)) {
    delete node['format'];
    node['contentEncoding'] ??= encodings[format];
  }
}

const encodings: Readonly<Record<string, string>> = {
  byte: 'base64',
  base64: 'base64',
  base64url: 'base64url',
};

/** The digits of a whole number as a text, as Google writes those of 64 bits: nothing else checks it. */
function digitsByFormat(node: Node): void {
  const { type, format, pattern, enum: values, const: only, default: start, example } = node;
  const found = /^(u?)int(?:8|16|32|64)$/.exec(valueText(format));
  const isText = [type].flat().every((each) => each === 'string' || each === 'null');
  if (found === null || !isText) return;
  if (pattern !== undefined || values !== undefined || only !== undefined) return;
  const digits = `^${found[1] === 'u' ? '' : '-?'}\\d+$`;
  const told = [start, example, node['examples']].flat();
  const isOther = (value: unknown) => typeof value === 'string' && !new RegExp(digits).test(value);
  if (!told.some(isOther)) node['pattern'] = digits;
}

/** A list of items was a tuple before 2020-12, and `additionalItems` what comes after it. */
function upgradeItems(node: Node, path: Path, origins: Origins): void {
  const { items, additionalItems } = node;
  if (Array.isArray(items)) {
    move(node, 'items', 'prefixItems', { path, origins });
    if (additionalItems !== undefined) move(node, 'additionalItems', 'items', { path, origins });
  }
  delete node['additionalItems'];
}

/** Since 2019-09 there is one keyword for names that a property needs, and one for schemas. */
function upgradeDependencies(node: Node, path: Path, origins: Origins): void {
  const { dependencies } = node;
  if (!isObject(dependencies)) return;
  for (const [name, needed] of Object.entries(dependencies)) {
    const keyword = Array.isArray(needed) ? 'dependentRequired' : 'dependentSchemas';
    const map = isObject(node[keyword]) ? node[keyword] : bareMap();
    if (map[name] === undefined) {
      origins.set(map, name, origins.at([...path, 'dependencies', name]));
      map[name] = needed;
    }
    if (node[keyword] === undefined)
      origins.set(node, keyword, origins.at([...path, 'dependencies']));
    node[keyword] = map;
  }
  delete node['dependencies'];
}

function move(
  node: Node,
  from: string,
  to: string,
  { path, origins }: { readonly path: Path; readonly origins: Origins },
): void {
  origins.set(node, to, origins.at([...path, from]));
  node[to] = node[from];
  delete node[from];
}

function upgradeExample(node: Node, path: Path, origins: Origins): void {
  if (node['example'] === undefined) return;
  if (node['examples'] === undefined) {
    const examples = [node['example']];
    const origin = origins.at([...path, 'example']);
    origins.set(node, 'examples', origin);
    origins.set(examples, 0, origin);
    node['examples'] = examples;
  }
  delete node['example'];
}

/**
 * OpenAPI 3.0 says `nullable`; Swagger 2.0 has no word for it, and its generators say `x-nullable`,
 * which those of later versions still write.
 */
function upgradeNullable(node: Node, path: Path, origins: Origins): void {
  const { type, nullable = node['x-nullable'] ?? node['x-isnullable'] } = node;
  if (nullable === undefined) return;
  for (const keyword of ['nullable', 'x-nullable', 'x-isnullable']) delete node[keyword];
  if (nullable !== true) return;
  const alternatives = node['oneOf'] ?? node['anyOf'];
  if (Array.isArray(node['enum']) && !node['enum'].includes(null)) node['enum'].push(null);
  if (typeof type === 'string') node['type'] = [type, 'null'];
  else if (Array.isArray(type)) node['type'] = [...new Set([...type, 'null'])];
  else if (isReference(node) || node['allOf'] !== undefined) wrap(node, path, origins);
  else if (Array.isArray(alternatives)) alternatives.push(nullSchema());
}

/** Turn `node` into `anyOf` of what it was and null; its annotations stay outside. */
function wrap(node: Node, path: Path, origins: Origins): void {
  const inner: Node = bareMap();
  const outerOrigin = origins.at(path);
  for (const key of Object.keys(node)) {
    if (annotations.has(key) || key.startsWith('x-')) continue;
    origins.set(inner, key, origins.at([...path, key]));
    inner[key] = node[key];
    delete node[key];
  }
  const anyOf = [inner, nullSchema()];
  origins.set(anyOf, 0, outerOrigin);
  origins.set(anyOf, 1, outerOrigin);
  origins.set(node, 'anyOf', outerOrigin);
  node['anyOf'] = anyOf;
}

function nullSchema(): Node {
  return bareMap({ type: 'null' });
}
