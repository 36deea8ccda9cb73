import { isObject } from '#contract/json';
import type { Node } from '../document/walk.ts';
import type { Path } from '../text/origins.ts';
import type { Told } from './told.ts';

/** A repair of values, and what is known of where they stand. */
export interface ValueRepair {
  readonly path: Path;
  readonly told: Told;
  /** A number or truth value as it is written: YAML takes `1.10` for 1.1. */
  readonly written: (path: Path) => string | undefined;
}

const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
};

/**
 * Read listed values and defaults as of the type beside them, where none could ever be sent: texts
 * without quotes in YAML, numbers and truth values in quotes, and values of the items of an array.
 */
export function repairValues(node: Node, repair: ValueRepair): void {
  readListedTexts(node, repair);
  const { type, enum: values, items } = node;
  if (typeof type !== 'string' || !Object.hasOwn(fits, type)) return;
  if (Array.isArray(values)) {
    const isForItems = type === 'array' && isObject(items) && !values.some(Array.isArray);
    if (isForItems && values.length > 0) moveToItems(node, items, repair);
    else repairList(values, type, repair);
  }
  openLongValues(node, repair);
  const { default: usual } = node;
  // A way to say that there is none.
  if (usual === null && node['nullable'] !== true && node['x-nullable'] !== true) {
    delete node['default'];
  }
  const meant = meantBy(usual, type, repair, 'default');
  if (meant === undefined) return;
  node['default'] = meant;
  repair.told([...repair.path, 'default'], `${JSON.stringify(usual)} is read as of type ${type}`);
}

/** Texts are listed of what is said to be an object: nothing else could be of that list, and no object is. */
function readListedTexts(node: Node, { path, told }: ValueRepair): void {
  const { type, enum: values, properties } = node;
  if (type !== 'object' || properties !== undefined || !Array.isArray(values)) return;
  const texts = values.filter((value) => value !== null);
  if (texts.length === 0 || !texts.every((value) => typeof value === 'string')) return;
  node['type'] = 'string';
  told([...path, 'type'], 'values that are all texts are listed: the type is read as string');
}

function moveToItems(node: Node, items: Node, { path, told }: ValueRepair): void {
  items['enum'] ??= node['enum'];
  delete node['enum'];
  told(
    [...path, 'enum'],
    'values of an array must be arrays; these are read as those of its items',
  );
}

function repairList(values: unknown[], type: string, repair: ValueRepair): void {
  const read = values.map((value, index) => meantBy(value, type, repair, 'enum', index));
  const [first] = read.flatMap((meant, index) => (meant === undefined ? [] : [index]));
  if (first === undefined) return;
  const shown = JSON.stringify(values[first]);
  for (const [index, meant] of read.entries()) if (meant !== undefined) values[index] = meant;
  // Read as texts, two may be one.
  const distinct = [...new Set(values)];
  if (distinct.length < values.length) values.splice(0, values.length, ...distinct);
  repair.told([...repair.path, 'enum', first], `${shown} is read as of type ${type}`);
}

/** So many values are told in words. */
const mostTold = 20;

/**
 * Let whole numbers be given that every reader of JSON rounds (RFC 8259, section 6): as a list of numbers they would
 * be others, and refused. Their digits are taken as text where no list says otherwise; the words say which they are.
 */
function openLongValues(node: Node, { path, told, written }: ValueRepair): void {
  const { type, enum: listed, const: only, default: usual } = node;
  if (type !== 'integer') return;
  if (isLong(usual)) delete node['default'];
  const keyword = only === undefined ? 'enum' : 'const';
  const values: readonly unknown[] = only === undefined && Array.isArray(listed) ? listed : [only];
  if (!values.some(isLong)) return;
  const digits = values.map((value, index) => {
    const at = only === undefined ? [...path, 'enum', index] : [...path, 'const'];
    return written(at) ?? (isLong(value) ? BigInt(value).toString() : String(value));
  });
  delete node[keyword];
  const isSigned = digits.every((text) => BigInt.asIntN(64, bigOf(text)) === bigOf(text));
  node['format'] = isSigned ? 'int64' : 'uint64';
  const some = digits.slice(0, mostTold).join(', ');
  const count = digits.length > mostTold ? `${digits.length} values, such as ` : '';
  const note = digits.length === 1 ? `Always ${some}.` : `One of ${count}${some}.`;
  const { description } = node;
  node['description'] = typeof description === 'string' ? `${note} ${description}` : note;
  const message = 'readers of JSON round these numbers: their digits are taken as text, unchecked';
  told([...path, keyword], message);
}

function isLong(value: unknown): value is number {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** The number that is written, where it is written in digits. */
function bigOf(text: string): bigint {
  return /^-?\d{1,40}$/.test(text) ? BigInt(text) : 0n;
}

/** A value as one of a type, where it is none and can only mean one. */
function meantBy(
  value: unknown,
  type: string,
  { path, written }: ValueRepair,
  ...steps: Path
): string | number | boolean | undefined {
  if (value === null || value === undefined || fits[type]?.(value)) return undefined;
  if (type === 'string' && ['number', 'boolean'].includes(typeof value)) {
    return written([...path, ...steps]) ?? String(value);
  }
  if (typeof value !== 'string') return undefined;
  if (type === 'boolean') return /^(?:true|false)$/.test(value) ? value === 'true' : undefined;
  const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  return String(number) === value && fits[type]?.(number) ? number : undefined;
}
