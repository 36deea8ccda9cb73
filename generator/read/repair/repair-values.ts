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
  const { type, enum: values, items } = node;
  if (typeof type !== 'string' || !Object.hasOwn(fits, type)) return;
  if (Array.isArray(values)) {
    const isForItems = type === 'array' && isObject(items) && !values.some(Array.isArray);
    if (isForItems && values.length > 0) moveToItems(node, items, repair);
    else repairList(values, type, repair);
  }
  const { default: usual } = node;
  const meant = meantBy(usual, type, repair, 'default');
  if (meant === undefined) return;
  node['default'] = meant;
  repair.told([...repair.path, 'default'], `${JSON.stringify(usual)} is read as of type ${type}`);
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
