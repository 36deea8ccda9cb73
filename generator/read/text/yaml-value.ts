import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { bareMap } from '../document/bare-map.ts';
import { maxDepth, type TextProblem, twiceText } from './parsed-text.ts';

/** Nodes that aliases may add to a text: room for real reuse, none for an alias bomb. */
const maxAliasNodes = 25_000;

/** What is known while nodes become values. */
export interface YamlReading {
  readonly problems: TextProblem[];
  readonly anchors: Map<string, Node>;
  /** What each alias stands for. */
  readonly targets: Map<Alias, Node>;
  /** The alias that is being copied, and how many nodes all copies have made. */
  outerAlias: Alias | undefined;
  aliasNodes: number;
  /** Set when the text is too large a thing to go on with. */
  exhausted: boolean;
}

type Path = (string | number)[];

/**
 * Turn a node into the value that its JSON form would have. Aliases become copies, so that the
 * value is a tree; maps have no prototype.
 */
export function yamlValue(reading: YamlReading, node: unknown, path: Path = []): unknown {
  if (reading.exhausted || node === null || node === undefined) return null;
  const value = isAlias(node)
    ? aliasValue(reading, node, path)
    : ownValue(reading, node as Node, path);
  const anchor = (node as { anchor?: string }).anchor;
  if (anchor !== undefined) reading.anchors.set(anchor, node as Node);
  return value;
}

/** Offset where a node's text begins. */
export function startOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

function ownValue(reading: YamlReading, node: Node, path: Path): unknown {
  if (path.length > maxDepth) {
    return giveUp(reading, node, 'SPEC002', `values are nested deeper than ${maxDepth} levels`);
  }
  if (reading.outerAlias !== undefined && ++reading.aliasNodes > maxAliasNodes) {
    const message = `aliases add more than ${maxAliasNodes} nodes to this file`;
    return giveUp(reading, reading.outerAlias, 'SPEC003', message);
  }
  if (isMap(node)) return mapValue(reading, node, path);
  if (isSeq(node)) {
    return node.items.map((item, index) => valueWithin(reading, item, path, index));
  }
  const value = isScalar(node) ? node.value : null;
  if (typeof value === 'number' && !Number.isFinite(value)) {
    reading.problems.push(problem(node, path, `${value} has no form in JSON`));
  }
  return value;
}

function mapValue(reading: YamlReading, node: YAMLMap, path: Path): Record<string, unknown> {
  const map: Record<string, unknown> = bareMap();
  const seen = new Map<string, Pair>();
  const merged: Readonly<Record<string, unknown>>[] = [];
  for (const pair of node.items) {
    const key = keyOf(pair);
    if (isMerge(pair)) {
      const value = valueWithin(reading, pair.value, path, key);
      const members = mergedMembers(value);
      if (members === undefined) map[key] = value;
      else merged.push(members);
      continue;
    }
    const first = seen.get(key);
    if (first === undefined) seen.set(key, pair);
    else if (reading.outerAlias === undefined) {
      reading.problems.push({
        ...problem(pair.key, [...path, key], twiceText(key, path, keysOf(map[key]))),
        first: { offset: startOf(first.key), message: 'first' },
      });
    }
    map[key] = valueWithin(reading, pair.value, path, key);
  }
  // Its own members count before those that it takes over.
  return merged.length === 0 ? map : bareMap(...merged.reverse(), map);
}

function keysOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function aliasValue(reading: YamlReading, alias: Alias, path: Path): unknown {
  const target = reading.anchors.get(alias.source);
  if (target === undefined) {
    const message = `alias "*${alias.source}" has no anchor before it`;
    reading.problems.push(problem(alias, path, message));
    return null;
  }
  reading.targets.set(alias, target);
  if (reading.outerAlias !== undefined) return yamlValue(reading, target, path);
  reading.outerAlias = alias;
  const value = yamlValue(reading, target, path);
  reading.outerAlias = undefined;
  return value;
}

function valueWithin(reading: YamlReading, node: unknown, path: Path, step: string | number) {
  path.push(step);
  const value = yamlValue(reading, node, path);
  path.pop();
  return value;
}

/** Whether a map takes the members of others over (YAML 1.1, merge key); a key in quotes is one like any other. */
function isMerge({ key }: Pair): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.value === '<<';
}

/** The members that a merge brings; nothing where what stands there is no map, nor a list of maps. */
function mergedMembers(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const sources = Array.isArray(value) ? value : [value];
  if (sources.length === 0 || !sources.every(isMembers)) return undefined;
  // The first that has a member decides.
  return bareMap(...sources.toReversed());
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a map key. */
function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value ?? '') : '';
}

/** Where a member of a map stands: its own, else one that a merge brings. */
export function pairOf(
  map: YAMLMap,
  name: string,
  targets: ReadonlyMap<Alias, Node>,
): Pair | undefined {
  const own = map.items.findLast((item) => keyOf(item) === name);
  if (own !== undefined) return own;
  for (const { value } of map.items.filter(isMerge)) {
    for (const source of isSeq(value) ? value.items : [value]) {
      const target = isAlias(source) ? targets.get(source) : source;
      const found = isMap(target) ? pairOf(target, name, targets) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function giveUp(reading: YamlReading, node: unknown, code: TextProblem['code'], message: string) {
  reading.problems.push({ ...problem(node, [], message), code });
  reading.exhausted = true;
  return null;
}

function problem(node: unknown, path: Path, message: string): TextProblem {
  return {
    code: 'SPEC002',
    severity: 'error',
    offset: startOf(node),
    path: [...path],
    message,
  };
}
