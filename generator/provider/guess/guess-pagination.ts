import { isObject } from '#contract/json';
import { parametersOf } from '../../model/schema/api-operations.ts';
import type { CuratedPagination } from '../../model/shape/curation.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from '../examples/merged-schema.ts';
import type { OperationNature } from '../operations/operation-nature.ts';

const cursorNames =
  /^(cursor|page_?token|next_?token|start_?cursor|after|starting_after|next|marker)$/i;
const pageNames = /^(page|page_?number|page_?num|pagenumber)$/i;
const offsetNames = /^(offset|skip|start|start_?at|from)$/i;
const limitNames =
  /^(limit|per_?page|page_?size|pagelen|max_?results|max_?items|count|size|take|top|first)$/i;
const nextNames = /^(next_?cursor|next_?page_?token|next_?token|next_?page|cursor|after|next)$/i;
const nextUrlNames = /^next_?(page_?)?(ur[il]|link|href)$/i;

/** How an operation pages, as far as its parameters and its answer tell. */
export function guessPagination(
  document: ApiDocument,
  { operation, content }: OperationNature,
): CuratedPagination | undefined {
  const parameters = parametersOf(document, operation).filter(({ in: at }) => at === 'query');
  const names = parameters.map(({ name }) => name);
  const numbers = parameters.filter(({ node }) => isNumber(document, node)).map(({ name }) => name);
  const limit = names.find((name) => limitNames.test(name));
  const size = limit === undefined ? {} : { limit };
  const nextUrl = content && nextPath(document, content.schema, { isWanted: isNextUrl });
  const pages = names.some((name) =>
    [cursorNames, pageNames, offsetNames, limitNames].some((known) => known.test(name)),
  );
  if (nextUrl !== undefined && pages) {
    return {
      style: 'next_url',
      ...(limit !== undefined && { request: size }),
      response: { next: nextUrl },
    };
  }
  const cursor = names.find((name) => cursorNames.test(name));
  if (cursor !== undefined) return cursorPagination(document, { content, cursor, size });
  const page = numbers.find((name) => pageNames.test(name));
  if (page !== undefined) {
    const style = content?.hasLink ? 'link_header' : 'page';
    return { style, request: { page, ...size } };
  }
  const offset = numbers.find((name) => offsetNames.test(name));
  return offset !== undefined && limit !== undefined
    ? { style: 'offset', request: { offset, limit } }
    : undefined;
}

/** Parameters that say where a page begins: of no use to callers where answers name the next one. */
export function positionNames(document: ApiDocument, { operation }: OperationNature): string[] {
  return parametersOf(document, operation).flatMap(({ name, in: place, required }) => {
    const isPosition = [cursorNames, pageNames, offsetNames].some((known) => known.test(name));
    return isPosition && place === 'query' && !required ? [name] : [];
  });
}

function isNumber(document: ApiDocument, { schema }: Record<string, unknown>): boolean {
  const { type } = mergedSchema(document, schema);
  return type === 'integer' || type === 'number';
}

function cursorPagination(
  document: ApiDocument,
  found: {
    readonly content: OperationNature['content'];
    readonly cursor: string;
    readonly size: { readonly limit?: string };
  },
): CuratedPagination {
  const { content, cursor, size } = found;
  const next = content && nextPath(document, content.schema, { isWanted: isNextCursor });
  const request = { cursor, ...size };
  // An answer that is a bare list has no room for the next cursor: it comes in a header.
  return next === undefined
    ? { style: 'link_header', request }
    : { style: 'cursor', request, response: { next } };
}

type Wanted = (name: string, schema: Readonly<Record<string, unknown>>) => boolean;

const isNextCursor: Wanted = (name, { type }) => type !== 'array' && nextNames.test(name);

const isNextUrl: Wanted = (name, { format }) =>
  nextUrlNames.test(name) || (nextNames.test(name) && format === 'uri');

/** Where an answer says how it goes on: at its root, or one or two objects below. */
function nextPath(
  document: ApiDocument,
  schema: Readonly<Record<string, unknown>>,
  { isWanted, levels = 2 }: { readonly isWanted: Wanted; readonly levels?: number },
): string | undefined {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const names = Object.keys(properties);
  const objects: [string, Record<string, unknown>][] = [];
  for (const name of names) {
    const inner = mergedSchema(document, properties[name]);
    if (isObject(inner['properties'])) objects.push([name, inner]);
    else if (isWanted(name, inner)) return `$.${name}`;
  }
  if (levels === 0) return undefined;
  for (const [name, inner] of objects) {
    const below = nextPath(document, inner, { isWanted, levels: levels - 1 });
    if (below !== undefined) return `$.${name}${below.slice(1)}`;
  }
  return undefined;
}

/** Where the list stands in an answer: the whole of it, or its only property that is a list. */
export function guessItems(
  document: ApiDocument,
  { content, operation }: OperationNature,
): string | undefined {
  if (!content) return undefined;
  if (content.schema['type'] === 'array') return '$';
  // The read of one thing, which may well have a list in it.
  if (/\}\/?$/.test(operation.path)) return undefined;
  const properties = isObject(content.schema['properties']) ? content.schema['properties'] : {};
  const lists = Object.keys(properties).filter(
    (name) =>
      mergedSchema(document, properties[name])['type'] === 'array' && /^[A-Za-z_]\w*$/.test(name),
  );
  return lists.length === 1 ? `$.${lists[0]}` : undefined;
}
