import { isObject } from '#contract/json';
import type { Node } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import type { Told } from './told.ts';

const methods = /^(?:get|put|post|delete|options|head|patch|trace)$/i;

/** `{name=shelves/*}`, as gRPC-gateway writes the name of a resource. */
const template = /\{\w[\w.-]*=[^{}]*\}/;

/** Read paths without their slash, templates of routers and of URIs, and methods in capitals. */
export function repairPaths(document: WorkingDocument, told: Told): void {
  const { root, origins } = document;
  const { paths } = root;
  if (!isObject(paths)) return;
  for (const item of Object.values(paths)) if (isObject(item)) repairMethods(item);
  const renamed = new Map<string, string>();
  const taken = new Set<string>();
  for (const [written, item] of Object.entries(paths)) {
    if (written.startsWith('x-') || !isObject(item)) continue;
    markReserved(root, item, written);
    const meant = meantPath(written, declaredIn(root, item));
    if (meant === written) continue;
    if (Object.hasOwn(paths, meant) || taken.has(meant)) {
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

function repairMethods(item: Node): void {
  for (const key of Object.keys(item)) {
    const lower = key.toLowerCase();
    if (key === lower || !methods.test(key) || item[lower] !== undefined) continue;
    item[lower] = item[key];
    delete item[key];
  }
}

/** A path as OpenAPI writes it; names count as placeholders where they are declared as parameters. */
function meantPath(written: string, declared: ReadonlySet<string>): string {
  if (/^[a-z]+:\/\//i.test(written)) return written;
  const path = written.startsWith('/') ? written : `/${written}`;
  const known = (whole: string, name: string) => (declared.has(name) ? `{${name}}` : whole);
  return path
    .replace(/\{[?&][^{}]*\}/g, '')
    .replace(
      /\{[+/]?(\w[\w.-]*)(?::(?:[^{}]|\{[^{}]*\})*|=[\w*/.~-]+|[?*])?\}/g,
      (whole: string, name: string) => known(whole, name),
    )
    .replace(/(?<=\/):(\w+)\??(?=\/|$)/g, known)
    .replace(/(?<=\/)<(?:\w+:)?(\w+)>(?=\/|$)/g, known);
}

/**
 * `{+name}` keeps the slashes of its value (RFC 6570 section 3.2.3): OpenAPI 3.2 calls that so. Names
 * of resources keep them, too, in a template (`{name=shelves/*}`) or in a pattern (`shelves/[^/]+`).
 */
function markReserved(root: Node, item: Node, written: string): void {
  const several = /\{(?:\+(\w[\w.-]*)|(\w[\w.-]*)=[^{}]*(?:\/|\*\*)[^{}]*\})/g;
  const names = new Set([...written.matchAll(several)].map(([, plus, name]) => plus ?? name));
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
