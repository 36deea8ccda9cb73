import { isObject } from '#contract/json';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { operationMethods } from '../../read/grammar/operation-methods.ts';
import { escapeStep, parsePointer } from '../../read/text/json-pointer.ts';

/** A node of the description and where it stands. */
export interface Place {
  readonly node: Record<string, unknown>;
  readonly pointer: string;
}

export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie' | 'querystring';

export interface ApiParameter extends Place {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
}

export interface ApiOperation extends Place {
  /** Its operationId, where no other operation has the same one (OpenAPI 3.1, operation object). */
  readonly id: string | undefined;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly pathItem: Place;
}

/** How deep schemas may be composed of each other; no real description comes near. */
export const deepestComposition = 200;

/** The operations of a description, in document order. */
export class ApiOperations {
  readonly document: ApiDocument;
  readonly all: readonly ApiOperation[];
  readonly byId: ReadonlyMap<string, ApiOperation>;
  readonly byRoute: ReadonlyMap<string, ApiOperation>;

  constructor(document: ApiDocument) {
    this.document = document;
    const all = Object.entries(document.root.paths ?? {}).flatMap(([path, node]) =>
      operationsOf(document, path, node),
    );
    const uses = Map.groupBy(all, ({ id }) => id);
    // An id that stands twice names nothing: its method and path do.
    this.all = all.map((operation) =>
      uses.get(operation.id)?.length === 1 ? operation : { ...operation, id: undefined },
    );
    this.byId = new Map(
      this.all.flatMap((operation) => (operation.id ? [[operation.id, operation]] : [])),
    );
    this.byRoute = new Map(this.all.map((operation) => [routeOf(operation), operation]));
  }
}

const operations = new WeakMap<ApiDocument, ApiOperations>();

/** The operations of a description, put together once: drafting asks for them in a dozen places. */
export function apiOperations(document: ApiDocument): ApiOperations {
  const known = operations.get(document) ?? new ApiOperations(document);
  operations.set(document, known);
  return known;
}

/** `GET /things/{id}`. */
export function routeOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

/** The path of a request: some vendors write several operations at one path as `/things#other`. */
export function requestPath({ path }: Pick<ApiOperation, 'path'>): string {
  return path.split('#', 1)[0] ?? path;
}

/** The parts of a path; what is done with one thing is one of its own, as in `/beds/{id}:wake`. */
export function pathParts(path: string): string[] {
  return path
    .replaceAll('}:', '}/')
    .split('/')
    .filter((part) => part !== '');
}

/** The parameters of an operation; its own win over those of its path (OpenAPI 3.1, path item). */
export function parametersOf(
  document: ApiDocument,
  operation: ApiOperation,
): readonly ApiParameter[] {
  const known = parameters.get(document) ?? new WeakMap<ApiOperation, readonly ApiParameter[]>();
  parameters.set(document, known);
  const before = known.get(operation);
  if (before !== undefined) return before;
  const found = readParameters(document, operation);
  known.set(operation, found);
  return found;
}

/** The parameters of operations that were read: whoever drafts looks at them some twenty times. */
const parameters = new WeakMap<ApiDocument, WeakMap<ApiOperation, readonly ApiParameter[]>>();

function readParameters(document: ApiDocument, operation: ApiOperation): ApiParameter[] {
  const found = new Map<string, ApiParameter>();
  for (const place of [operation.pathItem, operation]) {
    for (const [index, entry] of listOf(place.node['parameters']).entries()) {
      const { node } = resolve(document, { node: entry, pointer: '' });
      const pointer = `${place.pointer}/parameters/${index}`;
      const name = String(node['name']);
      const location = node['in'] as ParameterLocation;
      const required = location === 'path' || node['required'] === true;
      found.set(`${location} ${name}`, { node, pointer, name, in: location, required });
    }
  }
  return [...found.values()];
}

/** Where the references of each document lead: drafting follows each of them very often. */
const targets = new WeakMap<ApiDocument, Map<string, Place | undefined>>();

/** Follow a local reference, and the next one, to the node that stands behind them. */
export function resolve(document: ApiDocument, place: Place): Place {
  let current = place;
  for (let hops = 0; typeof current.node['$ref'] === 'string' && hops < 100; hops++) {
    const target = targetOf(document, current.node['$ref']);
    if (target === undefined) return { node: {}, pointer: pointerOf(current.node['$ref']) };
    current = target;
  }
  return current;
}

function targetOf(document: ApiDocument, reference: string): Place | undefined {
  const known = targets.get(document) ?? new Map<string, Place | undefined>();
  targets.set(document, known);
  if (!known.has(reference)) {
    const pointer = pointerOf(reference);
    const node = nodeAt(document.root, pointer);
    known.set(reference, node && { node, pointer });
  }
  return known.get(reference);
}

/** The JSON pointer in a local reference; the reader has taken off the escapes of the URI (RFC 6901, 6). */
export function pointerOf(reference: string): string {
  return reference.slice(1);
}

/** The object at a JSON pointer. */
export function nodeAt(root: unknown, pointer: string): Record<string, unknown> | undefined {
  let node = root;
  for (const step of parsePointer(pointer)) {
    if (Array.isArray(node)) node = node[Number(step)];
    else if (isObject(node) && Object.hasOwn(node, step)) node = node[step];
    else return undefined;
  }
  return isObject(node) ? node : undefined;
}

export function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function operationsOf(
  document: ApiDocument,
  path: string,
  node: Record<string, unknown>,
): ApiOperation[] {
  const pathItem = resolve(document, { node, pointer: `/paths/${escapeStep(path)}` });
  const own = (pathItem.node['additionalOperations'] ?? {}) as Record<string, unknown>;
  const methods = [
    ...Object.keys(pathItem.node)
      .filter((key) => operationMethods.includes(key))
      .map((key) => ({ key, method: key.toUpperCase(), value: pathItem.node[key] })),
    ...Object.keys(own).map((key) => ({
      key: `additionalOperations/${escapeStep(key)}`,
      method: key,
      value: own[key],
    })),
  ];
  return methods.flatMap(({ key, method, value }) => {
    if (!isObject(value)) return [];
    const id = value['operationId'];
    return [
      {
        node: value,
        pointer: `${pathItem.pointer}/${key}`,
        id: typeof id === 'string' && id !== '' ? id : undefined,
        method,
        path,
        pathItem,
      },
    ];
  });
}
