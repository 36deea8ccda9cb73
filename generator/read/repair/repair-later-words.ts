import { isObject } from '#contract/json';
import type { Node } from '../document/walk.ts';
import type { Path } from '../text/origins.ts';
import type { Told } from './told.ts';

interface Repair {
  readonly path: Path;
  readonly told: Told;
}

/**
 * Read words of JSON Schema that OpenAPI knows from 3.1 on as those that say the same before it: the
 * only value, several types, and bounds that are excluded.
 */
export function readAsBefore31(node: Node, version: '2.0' | '3.0', repair: Repair): void {
  readConst(node, repair);
  readTypes(node, version, repair);
  readBound(node, ['exclusiveMinimum', 'minimum', 1], repair);
  readBound(node, ['exclusiveMaximum', 'maximum', -1], repair);
}

function readConst(node: Node, { path, told }: Repair): void {
  if (!Object.hasOwn(node, 'const') || node['enum'] !== undefined) return;
  node['enum'] = [node['const']];
  delete node['const'];
  told([...path, 'const'], '"const" is of OpenAPI 3.1; it is read as "enum" of one value');
}

/** `[string, 'null']` is a string that may be null; of several types, each is an alternative. */
function readTypes(node: Node, version: '2.0' | '3.0', { path, told }: Repair): void {
  const { type } = node;
  if (!Array.isArray(type) || !type.every((each) => typeof each === 'string')) return;
  const others = type.filter((each) => each !== 'null');
  const isOne = others.length === 1;
  if (!isOne && (others.length === 0 || isObject(node['items']) || node['anyOf'] !== undefined))
    return;
  if (!isOne && version === '2.0') return;
  const { enum: values } = node;
  const takesNull = type.includes('null') && (!Array.isArray(values) || values.includes(null));
  if (takesNull) node[version === '2.0' ? 'x-nullable' : 'nullable'] = true;
  if (isOne) node['type'] = others[0];
  else {
    delete node['type'];
    node['anyOf'] = others.map((each) => ({ type: each }));
  }
  told([...path, 'type'], `several types are of OpenAPI 3.1: ${JSON.stringify(type)} is read so`);
}

/** A bound that is excluded is a number of its own from 3.1 on; before it says so of the one beside it. */
function readBound(
  node: Node,
  [excluded, included, inwards]: readonly [excluded: string, included: string, inwards: 1 | -1],
  { path, told }: Repair,
): void {
  const { [excluded]: bound, [included]: other } = node;
  if (typeof bound !== 'number' || (other !== undefined && typeof other !== 'number')) return;
  if (other !== undefined && (other - bound) * inwards > 0) delete node[excluded];
  else Object.assign(node, { [included]: bound, [excluded]: true });
  told(
    [...path, excluded],
    `a number as "${excluded}" is of OpenAPI 3.1; it is read as such a bound`,
  );
}
