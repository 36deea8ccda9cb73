import { isObject } from '#contract/json';
import { keywords } from '#contract/schema/keywords';
import { withSubschemas } from '#contract/schema/subschemas';
import {
  type ApiOperation,
  listOf,
  nodeAt,
  pointerOf,
  resolve,
} from '../../model/schema/api-operations.ts';
import { withoutSecrets } from '../../model/texts/secret-text.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { escapeStep, parsePointer } from '../../read/text/json-pointer.ts';
import { serversOf } from '../guess/guess-server.ts';
import { holdsCredential } from '../source/public-address.ts';
import { securityOf, securitySchemes } from './slice-security.ts';
import { sliceServers } from './slice-servers.ts';

/** What to take of a description. */
export interface Slice {
  readonly operations: readonly ApiOperation[];
  /** Keep descriptions and summaries; only where the licence allows it. */
  readonly texts: boolean;
  /** Whether a parameter is a credential, which the server adds by itself. */
  readonly isCredential: (
    parameter: Readonly<Record<string, unknown>>,
    operation: ApiOperation,
  ) => boolean;
  /** The example of an operation's answer. */
  readonly exampleOf: (operation: ApiOperation) => unknown;
  /** Headers of an operation's answers that are read, in lower case. */
  readonly headersOf: (operation: ApiOperation) => readonly string[];
}

type Node = Record<string, unknown>;

/** Cut a description down to some operations and everything that they refer to. */
export function sliceDocument(document: ApiDocument, slice: Slice): Node {
  const copying = {
    document,
    texts: slice.texts,
    needed: new Set<string>(),
    inlined: new Set<string>(),
  };
  const paths: Record<string, Node> = {};
  for (const operation of slice.operations) {
    const { path } = operation;
    const sliced = sliceOperation(copying, slice, operation);
    paths[path] = withOperation(paths[path] ?? {}, operation, sliced);
  }
  // Without both of them it is no description; some vendors leave them out.
  const { title = 'Untitled', version = '0', license } = document.root.info;
  return {
    openapi: document.version === '3.2' ? '3.2.0' : '3.1.0',
    info: { title, version, ...(isNamed(license) && { license: sliceLicence(copying, license) }) },
    ...sliceServers(listOf(document.root.servers)),
    paths,
    ...copyComponents(copying, slice.operations),
  };
}

/** Methods of one's own have a place of their own (OpenAPI 3.2, path item object). */
function withOperation(pathItem: Node, { method, pointer }: ApiOperation, sliced: Node): Node {
  if (!/\/additionalOperations\/[^/]+$/.test(pointer)) {
    return { ...pathItem, [method.toLowerCase()]: sliced };
  }
  const others = isObject(pathItem['additionalOperations']) ? pathItem['additionalOperations'] : {};
  return { ...pathItem, additionalOperations: { ...others, [method]: sliced } };
}

/** A licence without a name is none (OpenAPI 3.1, license object). */
function isNamed(license: unknown): license is Node {
  return isObject(license) && typeof license['name'] === 'string';
}

/** Its name says which it is: an address that may hold a credential is left out. */
function sliceLicence(copying: Copying, license: Node): Node {
  const { url, ...others } = copyNode(copying, license);
  const isPublic = typeof url === 'string' && !holdsCredential(url);
  return { ...others, ...(isPublic && { url }) };
}

/** A text as it may stand in a file: some show a credential, real or not. */
function plainText(text: unknown): unknown {
  return typeof text === 'string' ? withoutSecrets(text) : text;
}

function sliceOperation(copying: Copying, slice: Slice, operation: ApiOperation): Node {
  const { document } = copying;
  const { node, pathItem, id } = operation;
  const all = [...listOf(pathItem.node['parameters']), ...listOf(node['parameters'])];
  const parameters = distinct(document, all).filter(
    (parameter) =>
      !slice.isCredential(resolve(document, { node: parameter, pointer: '' }).node, operation),
  );
  const { summary, description, requestBody, deprecated } = node;
  return {
    ...(id !== undefined && { operationId: id }),
    ...(slice.texts && summary !== undefined && { summary: plainText(summary) }),
    ...(slice.texts && description !== undefined && { description: plainText(description) }),
    ...(deprecated === true && { deprecated }),
    ...sliceServers(serversOf(operation)),
    ...securityOf(document, operation),
    ...(parameters.length > 0 && {
      parameters: parameters.map((parameter) => copyNode(copying, parameter)),
    }),
    ...(isObject(requestBody) && { requestBody: copyNode(copying, requestBody) }),
    responses: sliceResponses(copying, slice, operation),
  };
}

/** An operation's own parameters win over those of its path (OpenAPI 3.1, path item). */
function distinct(document: ApiDocument, parameters: readonly Node[]): Node[] {
  const byKey = new Map<string, Node>();
  for (const parameter of parameters) {
    const { node } = resolve(document, { node: parameter, pointer: '' });
    byKey.set(`${node['in']} ${node['name']}`, parameter);
  }
  return [...byKey.values()];
}

/** The success responses, the first with one example for tests to answer with. */
function sliceResponses(copying: Copying, slice: Slice, operation: ApiOperation): Node {
  const responses = isObject(operation.node['responses']) ? operation.node['responses'] : {};
  const found = Object.keys(responses).filter((key) => key.startsWith('2'));
  const statuses = found.length > 0 ? found : ['default'];
  return Object.fromEntries(
    statuses.map((status, index) => {
      const key = status === 'default' ? '200' : status.replace(/XX$/i, '00');
      const example = index === 0 ? slice.exampleOf(operation) : undefined;
      const headers = slice.headersOf(operation);
      return [key, sliceResponse(copying, responses[status], { example, headers })];
    }),
  );
}

function sliceResponse(
  copying: Copying,
  raw: unknown,
  { example, headers }: { readonly example: unknown; readonly headers: readonly string[] },
): Node {
  const { node } = resolve(copying.document, { node: isObject(raw) ? raw : {}, pointer: '' });
  const text = copying.texts ? withoutSecrets(String(node['description'] ?? '')) : '';
  const declared = isObject(node['headers']) ? Object.entries(node['headers']) : [];
  const read = declared.filter(([name]) => headers.includes(name.toLowerCase()));
  const answer = {
    description: text === '' ? 'Success' : text,
    ...(read.length > 0 && { headers: copyMap(copying, Object.fromEntries(read)) }),
  };
  const content = isObject(node['content']) ? Object.entries(node['content']) : [];
  const [first, ...others] = content.toSorted(([a], [b]) => Number(isJson(b)) - Number(isJson(a)));
  if (!first) return answer;
  const [type, media] = first;
  const given = isObject(media) ? media['schema'] : undefined;
  const schema = isObject(given) ? copyNode(copying, given) : {};
  // Of a stream, the schema of each item may be all there is (OpenAPI 3.2, media type object).
  const item = isObject(media) && isObject(media['itemSchema']) ? media['itemSchema'] : undefined;
  const body = {
    schema,
    ...(item && { itemSchema: copyNode(copying, item) }),
    ...(example !== undefined && { example }),
  };
  // That a success may come in these types, too, is all that a tool needs to know of them.
  const besides = Object.fromEntries(others.map(([other]) => [other, {}]));
  return { ...answer, content: { [type]: body, ...besides } };
}

function isJson(contentType: string): boolean {
  return /^application\/(.+\+)?json\b/i.test(contentType);
}

/** Keys of OpenAPI under which names stand that are the vendor's own, so that none is an extension. */
const maps = new Set(['variables', 'content', 'headers', 'encoding']);
const textKeys = new Set(['description', 'summary', 'title']);
const droppedKeys = new Set(['example', 'examples', 'externalDocs', 'xml', 'callbacks', 'links']);

/** What is known while nodes are copied. */
interface Copying {
  readonly document: ApiDocument;
  readonly texts: boolean;
  /** Pointers of the components that copied nodes refer to. */
  readonly needed: Set<string>;
  /** Pointers of what is being copied in place of its reference. */
  readonly inlined: Set<string>;
}

function copyNode(copying: Copying, node: Node): Node {
  const reference = node['$ref'];
  if (typeof reference === 'string') return copyReference(copying, node, reference);
  const kept = Object.entries(node).filter(([key, member]) => isKept(copying, key, member));
  return Object.fromEntries(kept.map(([key, member]) => [key, copyMember(copying, key, member)]));
}

function copyMember(copying: Copying, key: string, member: unknown): unknown {
  if (maps.has(key)) return copyMap(copying, member);
  if (textKeys.has(key) && typeof member === 'string') return withoutSecrets(member);
  const keyword = keywords.get(key);
  if (keyword === undefined) return copyValue(copying, member);
  // What holds no schemas holds data, whatever that looks like.
  return withSubschemas(key, member, (schema) => copyValue(copying, schema));
}

function isKept({ texts }: Copying, key: string, member: unknown): boolean {
  if (key.startsWith('x-') || droppedKeys.has(key)) return false;
  return texts || !textKeys.has(key) || typeof member !== 'string';
}

function copyMap(copying: Copying, map: unknown): unknown {
  if (!isObject(map)) return map;
  const entries = Object.entries(map);
  return Object.fromEntries(entries.map(([key, member]) => [key, copyValue(copying, member)]));
}

function copyValue(copying: Copying, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((member) => copyValue(copying, member));
  return isObject(value) ? copyNode(copying, value) : value;
}

function copyReference(copying: Copying, node: Node, reference: string): Node {
  const { document, needed, inlined } = copying;
  const pointer = pointerOf(reference);
  const [first, kind, name, ...rest] = parsePointer(pointer);
  if (first !== 'components' || kind === undefined || name === undefined || rest.length > 0) {
    // Not a component: it has no place of its own in the slice, so it is copied in.
    const target = nodeAt(document.root, pointer);
    if (target === undefined || inlined.has(pointer)) return {};
    inlined.add(pointer);
    const copied = copyNode(copying, target);
    inlined.delete(pointer);
    return copied;
  }
  const home = `/components/${kind}/${escapeStep(name)}`;
  needed.add(home);
  const { $ref: _, ...siblings } = node;
  const own = `#/components/${kind}/${escapeStep(keyOf(document, kind, name))}`;
  return { $ref: own, ...copyNode(copying, siblings) };
}

/** The name of a component, of the letters that are allowed there (OpenAPI 3.1, components object). */
function keyOf({ root }: ApiDocument, kind: string, name: string): string {
  const key = lettersOf(name);
  if (key === name) return name;
  const all = Object.keys(root.components?.[kind as keyof typeof root.components] ?? {});
  const alike = all.filter((other) => lettersOf(other) === key);
  return alike.length > 1 ? `${key}_${alike.indexOf(name)}` : key;
}

function lettersOf(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '.');
}

/** `components` with everything that the copied nodes refer to. */
function copyComponents(copying: Copying, operations: readonly ApiOperation[]): Node {
  const components = new Map<string, Map<string, unknown>>();
  // The set grows while it is walked: a component may need further ones.
  for (const home of copying.needed) {
    const [, kind = '', name = ''] = parsePointer(home);
    const target = nodeAt(copying.document.root, home) ?? {};
    const key = keyOf(copying.document, kind, name);
    const section = components.get(kind) ?? new Map<string, unknown>();
    components.set(kind, section.set(key, copyNode(copying, target)));
  }
  const schemes = securitySchemes(copying.document, operations);
  if (schemes.size > 0) components.set('securitySchemes', schemes);
  if (components.size === 0) return {};
  const sections = [...components].map(([kind, members]) => [kind, Object.fromEntries(members)]);
  return { components: Object.fromEntries(sections) };
}
