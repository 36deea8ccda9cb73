import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { isObject } from '#contract/json';
import { standingAt } from './closed-parts.ts';

type Node = Record<string, unknown>;

/** What a reference leads to, and the file that the references in it start from. */
export interface Place {
  readonly node: unknown;
  readonly file: string;
}

/**
 * Follow references from a document into itself and other files, each of which is read once. Gives
 * nothing for what cannot be read, and for addresses.
 */
export function referencesFrom(
  root: object,
  file: string,
): (reference: string, from: string) => Place | undefined {
  const files = new Map<string, unknown>([[file, root]]);
  const places = new Map<string, Place | undefined>();
  const find = (reference: string, from: string): Place | undefined => {
    const [path = '', pointer = ''] = reference.split('#', 2);
    if (path.includes(':')) return undefined;
    const to = path === '' ? from : resolve(dirname(from), path);
    if (!files.has(to)) files.set(to, read(to));
    return { node: standingAt(files.get(to), pointer), file: to };
  };
  return (reference, from) => {
    const key = `${from} ${reference}`;
    if (!places.has(key)) places.set(key, find(reference, from));
    return places.get(key);
  };
}

function read(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Bring what a document refers to in other files into it, each under a name of its own: a mock that
 * leaves references where they stand follows none into a place that is not made for them. What
 * cannot be found stays as it is.
 */
export function bringIn(root: Node, file: string): void {
  const follow = referencesFrom(root, file);
  const brought = new Map<unknown, string>();
  const bring = (reference: string, from: string): string => {
    const [, pointer = ''] = reference.split('#', 2);
    const { node, file: to } = follow(reference, from) ?? {};
    if (to === file) return `#${pointer}`;
    const known = brought.get(node);
    if (known !== undefined || to === undefined || !isObject(node)) return known ?? reference;
    const steps = [...holderOf(root, pointer), `${basename(to)}_${brought.size}`];
    const own = `#/${steps.map((step) => step.replace(/[^\w.-]/g, '_')).join('/')}`;
    brought.set(node, own);
    const copy = structuredClone(node);
    stand(root, own.split('/').slice(1), copy);
    walk(copy, to);
    return own;
  };
  const walk = (node: unknown, from: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const holder = node as Node;
    const { $ref } = holder;
    if (typeof $ref === 'string') holder['$ref'] = bring($ref, from);
    for (const each of Object.values(holder)) walk(each, from);
  };
  for (const item of Object.values(isObject(root['paths']) ? root['paths'] : {})) {
    const { $ref } = isObject(item) ? item : {};
    const target = typeof $ref === 'string' ? follow($ref, file) : undefined;
    if (!isObject(item) || !isObject(target?.node)) continue;
    // The operations of a path stand where its reference stood.
    delete item['$ref'];
    walk(Object.assign(item, structuredClone(target.node)), target.file);
  }
  walk(root, file);
}

/** Where documents of this version keep what a pointer leads to. */
function holderOf({ swagger }: Node, pointer: string): readonly string[] {
  const [, kind = 'schemas'] = /^(?:\/components)?\/(\w+)\/[^/]+$/.exec(pointer) ?? [];
  if (swagger === undefined) return ['components', kind];
  return [['parameters', 'responses'].includes(kind) ? kind : 'definitions'];
}

function stand(root: Node, steps: readonly string[], value: unknown): void {
  const holder = steps.slice(0, -1).reduce<Node>((node, step) => {
    const member = node[step] ?? {};
    node[step] = member;
    return member as Node;
  }, root);
  holder[steps.at(-1) ?? ''] = value;
}
