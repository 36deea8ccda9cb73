import { isObject } from '#contract/json';
import { type ApiOperation, listOf, nodeAt, pointerOf, resolve } from '../model/api-operations.ts';
import type { ApiDocument } from '../read/api-document.ts';
import { escapeStep, parsePointer } from '../read/json-pointer.ts';

/** What to take of a description. */
export interface Slice {
  readonly operations: readonly ApiOperation[];
  /** Keep descriptions and summaries; only where the licence allows it. */
  readonly texts: boolean;
  /** Whether a parameter is a credential, which the server adds by itself. */
  readonly isCredential: (parameter: Readonly<Record<string, unknown>>) => boolean;
  /** The example of an operation's answer. */
  readonly exampleOf: (operation: ApiOperation) => unknown;
}

/** Cut a description down to some operations and everything that they refer to. */
export function sliceDocument(document: ApiDocument, slice: Slice): Record<string, unknown> {
  const copy = createCopier(document, slice.texts);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of slice.operations) {
    paths[operation.path] ??= {};
    const item = paths[operation.path];
    if (item)
      item[operation.method.toLowerCase()] = sliceOperation(document, slice, operation, copy);
  }
  const { title, version, license } = document.root.info;
  return {
    openapi: '3.1.0',
    info: { title, version, ...(isObject(license) && { license: copy.node(license) }) },
    paths,
    ...copy.components(),
  };
}

function sliceOperation(
  document: ApiDocument,
  slice: Slice,
  operation: ApiOperation,
  copy: Copier,
): Record<string, unknown> {
  const { node, pathItem, id } = operation;
  const parameters = [...listOf(pathItem.node['parameters']), ...listOf(node['parameters'])].filter(
    (parameter) => !slice.isCredential(resolve(document, { node: parameter, pointer: '' }).node),
  );
  const { summary, description, requestBody } = node;
  return {
    ...(id !== undefined && { operationId: id }),
    ...(slice.texts && summary !== undefined && { summary }),
    ...(slice.texts && description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters: distinct(document, parameters).map(copy.node) }),
    ...(isObject(requestBody) && { requestBody: copy.node(requestBody) }),
    responses: sliceResponses(document, slice, operation, copy),
  };
}

/** An operation's own parameters win over those of its path (OpenAPI 3.1, path item). */
function distinct(document: ApiDocument, parameters: readonly Record<string, unknown>[]) {
  const byKey = new Map<string, Record<string, unknown>>();
  for (const parameter of parameters) {
    const { node } = resolve(document, { node: parameter, pointer: '' });
    byKey.set(`${node['in']} ${node['name']}`, parameter);
  }
  return [...byKey.values()];
}

/** The first success response, with one example for tests to answer with. */
function sliceResponses(
  document: ApiDocument,
  { texts, exampleOf }: Slice,
  operation: ApiOperation,
  copy: Copier,
): Record<string, unknown> {
  const responses = isObject(operation.node['responses']) ? operation.node['responses'] : {};
  const status = Object.keys(responses).find((key) => key.startsWith('2')) ?? 'default';
  const raw = responses[status];
  const { node } = resolve(document, { node: isObject(raw) ? raw : {}, pointer: '' });
  const content = isObject(node['content']) ? Object.entries(node['content']) : [];
  const [first] = content.toSorted(([a], [b]) => Number(isJson(b)) - Number(isJson(a)));
  const description = texts ? String(node['description'] ?? '') : '';
  const answer = { description: description === '' ? 'Success' : description };
  const key = status === 'default' ? '200' : status.replace(/XX$/i, '00');
  if (!first) return { [key]: answer };
  const [type, media] = first;
  const schema = isObject(media) && isObject(media['schema']) ? copy.node(media['schema']) : {};
  const example = exampleOf(operation);
  return {
    [key]: {
      ...answer,
      content: { [type]: { schema, ...(example !== undefined && { example }) } },
    },
  };
}

function isJson(contentType: string): boolean {
  return /^application\/(.+\+)?json\b/i.test(contentType);
}

interface Copier {
  readonly node: (value: Record<string, unknown>) => Record<string, unknown>;
  /** `components` with everything that the copied nodes refer to. */
  readonly components: () => Record<string, unknown>;
}

/** Keys under which names stand that are the vendor's own, so that none of them is an extension. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas', 'variables']);
/** Keys under which data stands. */
const values = new Set(['default', 'const', 'enum', 'mapping']);
const textKeys = new Set(['description', 'summary', 'title']);
const droppedKeys = new Set(['example', 'examples', 'externalDocs', 'xml', 'callbacks', 'links']);

function createCopier(document: ApiDocument, texts: boolean): Copier {
  const needed: string[] = [];
  const inlined = new Set<string>();

  function node(value: Record<string, unknown>, isMap = false): Record<string, unknown> {
    const reference = value['$ref'];
    if (!isMap && typeof reference === 'string') return copyReference(value, reference);
    const entries = Object.entries(value).filter(([key, member]) => isMap || isKept(key, member));
    return Object.fromEntries(
      entries.map(([key, member]) => [
        key,
        !isMap && values.has(key) ? member : copyValue(member, !isMap && maps.has(key)),
      ]),
    );
  }

  function isKept(key: string, member: unknown): boolean {
    if (key.startsWith('x-') || droppedKeys.has(key)) return false;
    return texts || !textKeys.has(key) || typeof member !== 'string';
  }

  function copyValue(value: unknown, isMap: boolean): unknown {
    if (Array.isArray(value)) return value.map((member) => copyValue(member, false));
    return isObject(value) ? node(value, isMap) : value;
  }

  function copyReference(value: Record<string, unknown>, reference: string) {
    const pointer = pointerOf(reference);
    const [first, kind, name, ...rest] = parsePointer(pointer);
    const target = nodeAt(document.root, pointer);
    if (first !== 'components' || kind === undefined || name === undefined || rest.length > 0) {
      // Not a component: it has no place of its own in the slice, so it is copied in.
      if (target === undefined || inlined.has(pointer)) return {};
      inlined.add(pointer);
      const copied = node(target);
      inlined.delete(pointer);
      return copied;
    }
    const home = `/components/${kind}/${escapeStep(name)}`;
    if (!needed.includes(home)) needed.push(home);
    const { $ref: _, ...siblings } = value;
    return { $ref: `#${home}`, ...node(siblings) };
  }

  function components(): Record<string, unknown> {
    const copied: Record<string, Record<string, unknown>> = {};
    // The list grows while it is walked: a component may need further ones.
    for (const home of needed) {
      const [, kind = '', name = ''] = parsePointer(home);
      copied[kind] ??= {};
      const target = nodeAt(document.root, home);
      const section = copied[kind];
      if (section) section[name] = target ? node(target) : {};
    }
    return needed.length === 0 ? {} : { components: copied };
  }

  return { node: (value) => node(value), components };
}
