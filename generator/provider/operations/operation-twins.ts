import { isDeepStrictEqual } from 'node:util';
import { isObject } from '#contract/json';
import {
  type ApiParameter,
  parametersOf,
  requestPath,
  resolve,
} from '../../model/schema/api-operations.ts';
import { wordsOf } from '../../model/texts/names.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from '../examples/merged-schema.ts';
import type { OperationNature } from './operation-nature.ts';

/** Why one of two operations is enough. */
export interface Twin {
  /** The one that stays. */
  readonly of: OperationNature;
  readonly reason: string;
}

/** A part of a path that says which version of the API it belongs to: a number, or its day. */
const version = /^(?:v(\d+)(?:[a-z]+\d*)?|(\d{4}-\d\d(?:-\d\d)?))$/i;

/** As many of the arguments of the one as that, the other has, too. */
const shared = 0.8;

/**
 * Operations that do what another one does: an older version of the same path, a copy at another address, and
 * of a search and a list that take the same arguments the one that takes fewer.
 */
export function twinsOf(
  document: ApiDocument,
  natures: readonly OperationNature[],
): ReadonlyMap<OperationNature, Twin> {
  const twins = new Map<OperationNature, Twin>();
  const current = natures.filter(({ deprecated }) => !deprecated);
  // Of those that are off anyway because they are deprecated, it says what to take instead.
  for (const alike of Map.groupBy(natures, unversioned).values()) {
    const [newest] = alike
      .filter(({ deprecated }) => !deprecated)
      .toSorted((a, b) => versionOf(b) - versionOf(a));
    for (const each of alike) {
      if (!newest || versionOf(each) >= versionOf(newest)) continue;
      const { method, path } = newest.operation;
      twins.set(each, { of: newest, reason: `an older version of ${method} ${path}` });
    }
  }
  const single = current.filter((nature) => !twins.has(nature));
  const ids = new Set(natures.map(({ operation }) => operation.id));
  for (const alike of Map.groupBy(single, (each) => copyKey(document, each, ids)).values()) {
    const [first] = alike;
    if (!first) continue;
    const kept = alike.find(({ operation: { id } }) => id === withoutCount(id, ids)) ?? first;
    const { method, path } = kept.operation;
    for (const each of alike)
      if (each !== kept) twins.set(each, { of: kept, reason: `${method} ${path} is the same` });
  }
  for (const alike of Map.groupBy(single, (each) => bindingKey(document, each)).values()) {
    const [kept, ...others] = alike.toSorted((a, b) => a.pathParameters - b.pathParameters);
    if (!kept) continue;
    const { method, path } = kept.operation;
    for (const each of others)
      twins.set(each, { of: kept, reason: `${method} ${path} is the same` });
  }
  // Routers that do not tell "/things/" from "/things" describe each of them.
  for (const [first, ...others] of Map.groupBy(single, ({ operation }) =>
    JSON.stringify([
      operation.method,
      requestPath(operation).replace(/\/$/, ''),
      textOf(operation),
    ]),
  ).values()) {
    if (!first) continue;
    const [kept = first] = [first, ...others].filter(
      ({ operation: { path } }) => !path.endsWith('/'),
    );
    const { method, path } = kept.operation;
    for (const each of [first, ...others]) {
      if (each === kept || requestPath(each.operation) === requestPath(kept.operation)) continue;
      twins.set(each, { of: kept, reason: `${method} ${path} is the same` });
    }
  }
  const posts = new Map(
    current.flatMap((each) =>
      each.operation.method === 'POST' ? [[each.operation.path, each] as const] : [],
    ),
  );
  for (const each of current) {
    const post = posts.get(each.operation.path);
    if (!post || twins.has(post) || !isConnectGet(document, each)) continue;
    twins.set(each, { of: post, reason: `POST ${post.operation.path} takes the same arguments` });
  }
  const reads = current.filter((nature) => nature.reads && !twins.has(nature));
  for (const alike of Map.groupBy(reads, collectionOf).values()) {
    const [list] = alike.filter(({ operation }) => operation.method === 'GET');
    const [search] = alike.filter(({ operation }) => operation.method !== 'GET');
    if (!list || !search || list.pathParameters !== search.pathParameters) continue;
    // One question in the address and in a body: a GET is known to change nothing.
    const said = textOf(list.operation);
    if (said.length > 0 && isDeepStrictEqual(said, textOf(search.operation)) && !takesBody(list)) {
      const { path } = list.operation;
      if (path === search.operation.path)
        twins.set(search, { of: list, reason: `GET ${path} asks the same` });
    }
    if (twins.has(search)) continue;
    const [ofList, ofSearch] = [askedBy(document, list), askedBy(document, search)];
    const isLonger = ofSearch.names.length > ofList.names.length;
    const [few, many] = isLonger ? [ofList, ofSearch] : [ofSearch, ofList];
    const both = few.names.filter((name) => many.names.includes(name)).length;
    if (both === 0 || both < shared * few.names.length) continue;
    // Who has to name accounts does not ask for all of them.
    if (many.demanded.some((name) => !few.names.includes(name))) continue;
    // No tool sends a body with a GET: what asks the same by POST is the one to keep.
    const [left, kept] = isLonger || takesBody(list) ? [list, search] : [search, list];
    const { method, path } = kept.operation;
    twins.set(left, { of: kept, reason: `${method} ${path} takes the same arguments` });
  }
  const others = reads.filter((nature) => !twins.has(nature));
  for (const alike of Map.groupBy(others, methodlessId).values()) {
    const [get, ...more] = alike.filter(({ operation }) => operation.method === 'GET');
    if (!get || more.length > 0) continue;
    for (const each of alike) {
      // A name that holds no method says nothing of another one.
      if (each === get || methodlessId(each) === idOf(each)) continue;
      if (takesBody(get)) continue;
      twins.set(each, { of: get, reason: `GET ${get.operation.path} asks the same` });
    }
  }
  return twins;
}

/** A GET with a body is read differently by every server on the way (RFC 9110 section 9.3.1). */
export function takesBody({ operation: { method, node } }: OperationNature): boolean {
  return method === 'GET' && isObject(node['requestBody']);
}

function idOf({ operation: { id, pointer } }: OperationNature): string {
  return id === undefined ? pointer : wordsOf(id).join(' ').toLowerCase();
}

/** An id without the method that tells it from that of another method, as in `linksOfThing` and `linksOfThingByPost`. */
function methodlessId(nature: OperationNature): string {
  const method = nature.operation.method.toLowerCase();
  return idOf(nature)
    .replace(new RegExp(`^post (?=\\w)|(?<=\\w )(?:(?:by|using|via|with) )?${method}$`), '')
    .trim();
}

/**
 * What the copies of one operation have in common, which a gateway of gRPC serves at several addresses: its
 * name, all of its text, and what it takes. An operation without a name or a text is nobody's copy.
 */
function copyKey(
  document: ApiDocument,
  { operation }: OperationNature,
  ids: ReadonlySet<string | undefined>,
): string {
  const { operationId } = operation.node;
  const text = textOf(operation);
  if (operationId === undefined || text.length === 0) return operation.pointer;
  const taken = parametersOf(document, operation).map(({ in: place, name }) => `${place} ${name}`);
  const last = requestPath(operation).split('/').at(-1);
  const id = withoutCount(String(operationId), ids);
  return JSON.stringify([operation.method, id, text, last, taken.toSorted()]);
}

/** An id without the number that such a gateway puts behind that of each further address: `ListBeds2` beside `ListBeds`. */
function withoutCount(
  id: string | undefined,
  ids: ReadonlySet<string | undefined>,
): string | undefined {
  const [first = ''] = /^.*[a-z](?=\d$)/i.exec(id ?? '') ?? [];
  return ids.has(first) ? first : id;
}

/**
 * What the bindings of one method have in common, which a gateway of gRPC counts in their names: one takes in
 * its path what another takes in its query.
 */
function bindingKey(document: ApiDocument, { operation }: OperationNature): string {
  const { operationId } = operation.node;
  const text = textOf(operation);
  const [, name = ''] = /^(\w+?_[A-Z]\w*?[A-Za-z])[2-9]?$/.exec(String(operationId)) ?? [];
  if (name === '' || text.length === 0) return operation.pointer;
  const taken = parametersOf(document, operation).map((parameter) => parameter.name);
  return JSON.stringify([operation.method, name, text, taken.toSorted()]);
}

function textOf({
  node: { summary, description },
}: OperationNature['operation']): readonly string[] {
  return [summary, description].filter((each) => typeof each === 'string');
}

/** What the address of a method of Connect RPC holds, where it is asked by GET. */
const connectArguments = new Set(['base64', 'compression', 'connect', 'encoding', 'message']);

/** Whether it takes the whole message of the POST at its path in one argument of its address. */
function isConnectGet(document: ApiDocument, { operation }: OperationNature): boolean {
  if (operation.method !== 'GET') return false;
  const names = parametersOf(document, operation)
    .filter(({ in: place }) => place === 'query')
    .map(({ name }) => name);
  return names.includes('message') && names.every((name) => connectArguments.has(name));
}

function versionOf({ operation: { path } }: OperationNature): number {
  const part = path.split('/').find((each) => version.test(each));
  const [, count, day = '0'] = version.exec(part ?? '') ?? [];
  // Whoever names versions by their days has counted them before.
  return Number(count ?? day.replaceAll('-', '').padEnd(8, '0'));
}

/** What the paths of all versions of an operation have in common. */
function unversioned({ operation }: OperationNature): string {
  const parts = requestPath(operation).toLowerCase().split('/');
  const fragment = operation.path.slice(requestPath(operation).length);
  const rest = parts.filter((part) => !version.test(part));
  return `${operation.method} ${anonymous(rest)}${fragment}`;
}

/** Where a list stands, and where it is searched: at the same path, or at `/search` below it. */
function collectionOf({ operation }: OperationNature): string {
  const parts = requestPath(operation).toLowerCase().split('/');
  return anonymous(parts.at(-1) === 'search' ? parts.slice(0, -1) : parts);
}

function anonymous(parts: readonly string[]): string {
  return parts.map((part) => part.replace(/\{[^}]*\}/g, '{}')).join('/');
}

/** What can be asked. */
interface Asked {
  /** Alike however they are written. */
  readonly names: readonly string[];
  /** Those without which there is no answer. */
  readonly demanded: readonly string[];
}

/** What a parameter puts into the query: the members of an object that is exploded (OpenAPI 3.1, style values). */
function askedInQuery(document: ApiDocument, { name, node, required }: ApiParameter): Asked {
  const { properties, required: members } = mergedSchema(document, node['schema']);
  const { style = 'form', explode = style === 'form' } = node;
  const isExploded = isObject(properties) && style === 'form' && explode === true;
  if (!isExploded) return { names: [name], demanded: required ? [name] : [] };
  const demanded = required && Array.isArray(members) ? members.map(String) : [];
  return { names: Object.keys(properties), demanded };
}

function askedBy(document: ApiDocument, { operation }: OperationNature): Asked {
  const inQuery = parametersOf(document, operation)
    .filter(({ in: place }) => place === 'query')
    .map((parameter) => askedInQuery(document, parameter));
  const body = operation.node['requestBody'];
  const { content } = isObject(body)
    ? resolve(document, { node: body, pointer: operation.pointer }).node
    : {};
  const [media] = isObject(content) ? Object.values(content) : [];
  const { properties = {}, required } = isObject(media)
    ? mergedSchema(document, media['schema'])
    : {};
  const names = [
    ...inQuery.flatMap(({ names: own }) => own),
    ...Object.keys(isObject(properties) ? properties : {}),
  ];
  const demanded = [
    ...inQuery.flatMap((each) => each.demanded),
    ...(Array.isArray(required) ? required.map(String) : []),
  ];
  return { names: names.map(alike), demanded: demanded.map(alike) };
}

function alike(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
