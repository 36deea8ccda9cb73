import { isObject } from '#contract/json';
import { bareMap } from '../document/bare-map.ts';
import type { Targets } from '../document/targets.ts';
import { isReference, type Node } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import { formatPointer, lookUp, parsePointer } from '../text/json-pointer.ts';
import type { Path } from '../text/origins.ts';
import type { LocalReference } from './bundle.ts';

/** Schemas that are looked through for the children of one: of more, the cycle stays, and the tool is refused. */
const mostChildren = 1000;

/** What chooses among the children, and is nothing that a child itself has to match. */
const choosing = new Set(['oneOf', 'anyOf', 'discriminator']);

/**
 * Let the children of a schema be made of it without its alternatives, where these are the children: `Pet` is one of
 * `Cat` and `Dog`, and both are `allOf` `Pet`, as many generators write it. Read to the letter, no value would ever
 * be looked through.
 *
 * @returns the references within what was added
 */
export function readParentsAsParts(
  document: WorkingDocument,
  references: readonly LocalReference[],
  targets: Targets,
): readonly LocalReference[] {
  const children = new Map<unknown, ReadonlySet<unknown>>();
  const names = new Map<string, string>();
  for (const { node, path } of references) {
    if (path.at(-2) !== 'allOf' || !isNamed(node.$ref)) continue;
    const parent = targets.end(node);
    if (!isObject(parent) || alternativesOf(parent).length === 0) continue;
    const known = children.get(parent) ?? childrenOf(parent, targets);
    children.set(parent, known);
    if (!known.has(lookUp(document.root, path.slice(0, -2).map(String)))) continue;
    const from = pointerOf(parent, node, targets);
    const name = names.get(from) ?? freeName(document.root, from);
    if (!names.has(from)) {
      const message =
        'the alternatives name it as a part of themselves: there it is read without them';
      report(document, 'SPEC008', parsePointer(from), message, { severity: 'warning' });
    }
    names.set(from, name);
    node.$ref = `#${name}`;
  }
  // Their own references have changed by now.
  return [...names].flatMap(([from, name]) => addPart(document.root, from, name));
}

function isNamed(ref: string): boolean {
  return /^#\/(?:components\/schemas|definitions)\/[^/]+$/.test(ref);
}

/** Where a chain of references ends. */
function pointerOf(parent: unknown, first: LocalReference['node'], targets: Targets): string {
  let ref = first.$ref;
  for (let node = targets.of(ref); node !== parent && isReference(node); node = targets.of(ref)) {
    ref = node.$ref;
  }
  return ref.slice(1);
}

function alternativesOf(schema: Node): readonly unknown[] {
  return [schema['oneOf'], schema['anyOf']].flatMap((list) => (Array.isArray(list) ? list : []));
}

/** All that may stand for a schema, and what that is made of. */
function childrenOf(parent: Node, targets: Targets): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  const queue = [...alternativesOf(parent)];
  for (const next of queue) {
    const child = targets.end(next);
    if (!isObject(child) || child === parent || found.has(child)) continue;
    if (found.size >= mostChildren) return new Set();
    found.add(child);
    const { allOf } = child;
    queue.push(...alternativesOf(child), ...(Array.isArray(allOf) ? allOf : []));
  }
  return found;
}

/** A name beside that of the schema which no other one has. */
function freeName(root: Node, pointer: string): string {
  const steps = parsePointer(pointer);
  const [last = '', container] = [steps.at(-1), lookUp(root, steps.slice(0, -1))];
  const isTaken = (name: string) => isObject(container) && Object.hasOwn(container, name);
  let name = `${last}Base`;
  while (isTaken(name)) name += '_';
  if (isObject(container)) container[name] = {};
  return formatPointer([...steps.slice(0, -1), name]);
}

function addPart(root: Node, from: string, to: string): LocalReference[] {
  const steps = parsePointer(to);
  const container = lookUp(root, steps.slice(0, -1));
  const schema = lookUp(root, parsePointer(from));
  if (!isObject(container) || !isObject(schema)) return [];
  const found: LocalReference[] = [];
  const kept = Object.entries(schema).filter(([keyword]) => !choosing.has(keyword));
  container[steps.at(-1) ?? ''] = copy(Object.fromEntries(kept), steps, {
    found,
    known: new Map(),
  });
  return found;
}

interface Copying {
  readonly found: LocalReference[];
  /** A node that stands in several places is one in the copy, too. */
  readonly known: Map<object, unknown>;
}

function copy(value: unknown, path: Path, copying: Copying): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = copying.known.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    copying.known.set(value, list);
    list.push(...value.map((item, index) => copy(item, [...path, index], copying)));
    return list;
  }
  const node: Node = bareMap();
  copying.known.set(value, node);
  for (const [key, member] of Object.entries(value))
    node[key] = copy(member, [...path, key], copying);
  if (isReference(node)) {
    copying.found.push({ node, shape: { kind: 'object', name: 'Schema' }, path });
  }
  return node;
}
