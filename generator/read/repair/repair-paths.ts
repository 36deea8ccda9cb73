import { isObject } from '#contract/json';
import type { Node } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import { operationMethods } from '../grammar/operation-methods.ts';
import { meantPath, serversOf } from './meant-path.ts';
import type { Told } from './told.ts';

/** `{name=shelves/*}`, as gRPC-gateway writes the name of a resource. */
const template = /\{\w[\w.-]*=[^{}]*\}/;

/** Read paths without their slash, templates of routers and of URIs, and methods in capitals. */
export function repairPaths(document: WorkingDocument, told: Told): void {
  const { root, origins } = document;
  const { paths } = root;
  if (!isObject(paths)) return;
  for (const item of Object.values(paths)) if (isObject(item)) repairMethods(item);
  const servers = serversOf(root);
  const renamed = new Map<string, string>();
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  for (const [written, item] of Object.entries(paths)) {
    if (written.startsWith('x-') || !isObject(item)) continue;
    markReserved(root, item, written);
    const path = meantPath(written, declaredIn(root, item), servers);
    if (path === written) continue;
    const isTaken = (other: string) => Object.hasOwn(paths, other) || taken.has(other);
    const isTwin = isTaken(path) && mayBeTwin(written);
    const meant = isTwin ? besides(path, item, isTaken, numbers) : path;
    if (isTaken(meant)) {
      if (!template.test(written)) continue;
      const message = `"${written}" is ${meant}, which another path is already: it is left out`;
      report(document, 'SPEC005', ['paths', written], message);
      delete paths[written];
      continue;
    }
    renamed.set(written, meant);
    taken.add(meant);
  }
  if (renamed.size === 0) return;
  const entries = Object.entries(paths).map(([written, item]) => {
    const meant = renamed.get(written);
    if (meant !== undefined) told(['paths', written], `"${written}" is read as ${meant}`);
    return { key: meant ?? written, item, origin: origins.at(['paths', written]) };
  });
  // The order stays, in which twins of paths and of operations are told apart.
  for (const written of Object.keys(paths)) delete paths[written];
  for (const { key, item, origin } of entries) {
    paths[key] = item;
    origins.set(paths, key, origin);
  }
}

/**
 * Whether several operations may be at the path that is meant: addresses of one path differ by blanks,
 * others by the queries of their templates (`/things{?page}`, `/things{?name}`; RFC 6570 section 3.2.8).
 */
function mayBeTwin(written: string): boolean {
  return written !== written.trim() || /^[a-z]+:\/\/|\{[?&]/i.test(written);
}

/** The path with a fragment that tells it from others, by the name of its operation or by a number. */
function besides(
  path: string,
  item: Node,
  isTaken: (other: string) => boolean,
  numbers: Map<string, number>,
): string {
  const ids = Object.values(item).map(
    (operation) => isObject(operation) && operation['operationId'],
  );
  const id = ids.find((each) => typeof each === 'string' && /^[\w.-]{1,100}$/.test(each));
  const named = `${path}#${String(id)}`;
  if (id !== undefined && !isTaken(named)) return named;
  const number = (numbers.get(path) ?? 1) + 1;
  numbers.set(path, number);
  return `${path}#${number}`;
}

function repairMethods(item: Node): void {
  for (const key of Object.keys(item)) {
    const lower = key.toLowerCase();
    if (key === lower || !operationMethods.includes(lower) || item[lower] !== undefined) continue;
    item[lower] = item[key];
    delete item[key];
  }
}

/**
 * `{+name}` keeps the slashes of its value (RFC 6570 section 3.2.3): OpenAPI 3.2 calls that so. Names
 * of resources keep them, too, in a template (`{name=shelves/*}`) or in a pattern (`shelves/[^/]+`), as do
 * the addresses that answers give for their things, in the place of a path.
 */
function markReserved(root: Node, item: Node, written: string): void {
  const several = /\{(?:\+(\w[\w.-]*)|(\w[\w.-]*)=(?:(?!\/|\*\*)[^{}])*(?:\/|\*\*)[^{}]*\})/g;
  const names = new Set([...written.matchAll(several)].map(([, plus, name]) => plus ?? name));
  // A path without its slash has that in the value, which is a whole path: `{thing_href}`, `{thing}sync/`. Of
  // `{tenant}/users` it was forgotten, and nobody's slashes may lead elsewhere.
  const [, whole] = /^\{(\w*(?:href|path|ur[il])|\w[\w.-]*(?=\}[^/]))\}/i.exec(written) ?? [];
  names.add(whole);
  for (const owner of [item, ...Object.values(item).filter(isObject)]) {
    for (const { name, index } of pathParametersOf(root, owner)) {
      const { parameters } = owner;
      const node = Array.isArray(parameters) ? lookedUp(root, parameters[index]) : undefined;
      if (node && (names.has(name) || isResourceName(node))) node['allowReserved'] = true;
    }
  }
}

/** Whether the pattern is that of a resource's name, as gRPC-gateway writes it. */
function isResourceName({ pattern, schema }: Node): boolean {
  const written = isObject(schema) ? schema['pattern'] : pattern;
  return typeof written === 'string' && /^\^?[A-Za-z][\w-]*\/\[\^\/\]\+/.test(written);
}

/** Names of the path parameters of a path item and of its operations. */
function declaredIn(root: Node, item: Node): ReadonlySet<string> {
  const names = new Set<string>();
  for (const owner of [item, ...Object.values(item).filter(isObject)]) {
    for (const parameter of pathParametersOf(root, owner)) names.add(parameter.name);
  }
  return names;
}

/** The path parameters in a list, with what cannot be looked up left out; `index` is that in the list. */
export function pathParametersOf(
  root: Node,
  { parameters }: Node,
): readonly { readonly name: string; readonly index: number }[] {
  if (!Array.isArray(parameters)) return [];
  return parameters.flatMap((parameter, index) => {
    const node = lookedUp(root, parameter);
    const { name, in: place } = node ?? {};
    return place === 'path' && typeof name === 'string' ? [{ name, index }] : [];
  });
}

/** A parameter, behind its reference into the same file; nothing where that leads elsewhere. */
export function lookedUp(root: Node, parameter: unknown): Node | undefined {
  if (!isObject(parameter)) return undefined;
  const { $ref } = parameter;
  if (typeof $ref !== 'string') return parameter;
  const steps = /^#\/((?:components\/)?parameters)\/([^/]+)$/.exec($ref);
  if (!steps) return undefined;
  const [, holder = '', name = ''] = steps;
  let node: unknown = root;
  for (const step of [...holder.split('/'), name]) node = isObject(node) ? node[step] : undefined;
  return isObject(node) && typeof node['$ref'] !== 'string' ? node : undefined;
}
