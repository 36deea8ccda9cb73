import { fileURLToPath, pathToFileURL } from 'node:url';
import { isObject } from '#contract/json';
import { escapeStep, lookUp, parsePointer } from '../text/json-pointer.ts';
import { type Origin, type Origins, type Path, within } from '../text/origins.ts';
import type { ParsedFile } from '../text/parsed-file.ts';
import { addressOf, type SpecFiles } from '../text/spec-files.ts';

/** What a `$ref` leads to. */
export type Target =
  /** A place in the document itself. */
  | { readonly kind: 'local'; readonly steps: readonly string[] }
  /** A node of another file. */
  | { readonly kind: 'foreign'; readonly origin: Origin; readonly value: unknown }
  | Refusal;

export interface Refusal {
  readonly kind: 'refused';
  readonly code: 'SPEC003' | 'SPEC006' | 'SPEC007' | 'SPEC008';
  readonly message: string;
  readonly help?: string;
}

/** The document that references are resolved in. */
export interface ReferenceContext {
  readonly entry: ParsedFile;
  readonly origins: Origins;
  readonly files: SpecFiles;
  /** What an overlay writes belongs to the document, wherever the overlay lies. */
  readonly overlay?: ParsedFile | undefined;
}

interface Resource {
  readonly file: ParsedFile;
  /** Where the resource begins in its file: not at its top when a schema in it has an `$id`. */
  readonly pointer: string;
}

/**
 * Resolve a `$ref` at `path` (RFC 3986 section 5, JSON Schema 2020-12 section 8.2): against the
 * `$id` or `$self` around it, then against the place of its file. Nothing outside of the spec root
 * is read, and nothing comes from the network.
 */
export function resolveReference(context: ReferenceContext, ref: string, path: Path): Target {
  if (ref.startsWith('#/') && context.origins.untouched && !ref.includes('%')) {
    const steps = parsePointer(ref.slice(1));
    // Only a schema with its own $id can mean another place by it, and those are rare.
    if (lookUp(context.entry.value, steps) !== undefined) return { kind: 'local', steps };
  }
  const [uri = '', fragment = ''] = splitAtHash(ref);
  const around = surroundings(context, path);
  const resource = uri === '' ? around.resource : findResource(context, uri, around);
  if ('kind' in resource) return resource;
  const steps = fragmentSteps(resource, fragment, uri === '' ? around.resource.file : undefined);
  if (steps === undefined) {
    return refuse('SPEC006', `$ref "${ref}" leads to nothing: there is no such anchor`);
  }
  if (resource.file === context.entry) return { kind: 'local', steps };
  const value = lookUp(resource.file.value, steps);
  if (value === undefined) return refuse('SPEC006', `$ref "${ref}" leads to nothing in that file`);
  return { kind: 'foreign', origin: within({ file: resource.file, pointer: '' }, steps), value };
}

function splitAtHash(ref: string): [string, string] {
  const at = ref.indexOf('#');
  return at === -1 ? [ref, ''] : [ref.slice(0, at), ref.slice(at + 1)];
}

interface Surroundings {
  readonly address: string;
  readonly resource: Resource;
}

/** The address that relative references at `path` start from, and what `#` means there. */
function surroundings({ origins, overlay, entry }: ReferenceContext, path: Path): Surroundings {
  const { origin, nodes } = origins.trace(path);
  const file = origin.file === overlay ? entry : origin.file;
  let address = addressOf(file);
  let pointer = '';
  nodes.forEach((node, index) => {
    const id = isObject(node) && isSchemaId(node, index) ? node['$id'] : undefined;
    if (typeof id !== 'string' || !URL.canParse(id, address)) return;
    address = new URL(id, address).href;
    pointer = ancestorPointer(origin.pointer, nodes.length - 1 - index);
  });
  return { address, resource: { file, pointer } };
}

/** The address of a whole file is known already, and `#` in it means the file. */
function isSchemaId(node: Record<string, unknown>, index: number): boolean {
  return index > 0 && typeof node['$id'] === 'string';
}

function ancestorPointer(pointer: string, levels: number): string {
  return levels === 0 ? pointer : pointer.split('/').slice(0, -levels).join('/');
}

function findResource(
  { files }: ReferenceContext,
  uri: string,
  { address, resource }: Surroundings,
): Resource | Refusal {
  const place = pathToFileURL(resource.file.path).href;
  for (const base of new Set([address, place])) {
    if (!URL.canParse(uri, base)) continue;
    const target = new URL(uri, base);
    const pointer = base === address ? idsIn(resource.file).get(target.href) : undefined;
    if (pointer !== undefined) return { file: resource.file, pointer };
    if (target.protocol !== 'file:') {
      const declared = files.declared(target.href);
      if (declared !== undefined) return declared;
    } else if (base === place) {
      return findFile(files, target, uri);
    }
  }
  return refuse(
    'SPEC007',
    `$ref "${uri}" leads out of the spec root to another address`,
    'store a copy under the spec root and refer to that, or declare the address as its $id',
  );
}

const knownIds = new WeakMap<ParsedFile, ReadonlyMap<string, string>>();

/** Where the schemas of a file stand that have an `$id`, by the address that it means (core, 8.2.1). */
function idsIn(file: ParsedFile): ReadonlyMap<string, string> {
  const known = knownIds.get(file);
  if (known !== undefined) return known;
  const found = new Map<string, string>();
  knownIds.set(file, found);
  const pending = [{ value: file.value, pointer: '', address: addressOf(file) }];
  for (const { value, pointer, address } of pending) {
    if (typeof value !== 'object' || value === null) continue;
    const id = pointer !== '' && isObject(value) ? value['$id'] : undefined;
    const isId = typeof id === 'string' && URL.canParse(id, address);
    const own = isId ? new URL(id, address).href : address;
    if (isId && !found.has(own)) found.set(own, pointer);
    for (const [key, member] of Object.entries(value)) {
      pending.push({ value: member, pointer: `${pointer}/${escapeStep(key)}`, address: own });
    }
  }
  return found;
}

function findFile(files: SpecFiles, url: URL, uri: string): Resource | Refusal {
  const path = pathOf(url);
  if (path === undefined || !files.isInside(path)) {
    return refuse('SPEC007', `$ref "${uri}" leads to a file outside of the spec root`);
  }
  const file = files.open(path);
  if (file === undefined) return refuse('SPEC006', `$ref "${uri}" leads to a file that is missing`);
  return { file, pointer: '' };
}

function pathOf(url: URL): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/**
 * The steps to what a fragment names, from the top of the file. A pointer that leads to nothing
 * inside a schema with its own `$id` is taken as one into the whole file: that is what people mean.
 */
function fragmentSteps(
  { file, pointer }: Resource,
  fragment: string,
  wholeFile: ParsedFile | undefined,
): readonly string[] | undefined {
  const decoded = decode(fragment);
  const start = parsePointer(pointer);
  if (decoded === undefined) return undefined;
  if (decoded === '') return start;
  if (!decoded.startsWith('/')) {
    const anchored = findAnchor(lookUp(file.value, start), decoded, start);
    // "#definitions/Thing" is no JSON pointer, but nobody can mean anything else by it.
    return anchored ?? (decoded.includes('/') ? parsePointer(decoded) : undefined);
  }
  const steps = [...start, ...parsePointer(decoded)];
  if (start.length > 0 && wholeFile !== undefined && lookUp(file.value, steps) === undefined) {
    return parsePointer(decoded);
  }
  return steps;
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function findAnchor(
  value: unknown,
  anchor: string,
  path: readonly string[],
): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const node = value as Record<string, unknown>;
  if (node['$anchor'] === anchor || node['$dynamicAnchor'] === anchor) return path;
  for (const key of Object.keys(node)) {
    const found = findAnchor(node[key], anchor, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function refuse(code: Refusal['code'], message: string, help?: string): Refusal {
  return { kind: 'refused', code, message, ...(help !== undefined && { help }) };
}
