import { RecursiveShapeError } from '../../model/schema/object-shape.ts';
import type { CuratedPagination } from '../../model/shape/curation.ts';
import { operationInputs } from '../../model/vendor/inputs/operation-inputs.ts';
import { describedFirst } from '../../model/vendor/inputs/paging.ts';
import type { ToolInput } from '../../model/vendor/inputs/tool-input.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from '../examples/merged-schema.ts';
import type { OperationNature } from '../operations/operation-nature.ts';
import { type AnswerList, answerList, isType, membersOf } from './answer-list.ts';
import {
  hasMorePath,
  nextAddressPath,
  nextValuePath,
  pagesPath,
  totalPath,
} from './answer-position.ts';
import { isToldOfLink, lastId, leadsEitherWay } from './last-item.ts';
import { named } from './paging-names.ts';

const cursorNames = named(
  'cursor|page_?token|next_?(?:page_?)?(?:token|cursor|id)?|(?:start|page|after)_?cursor|after|after_?id|starting_?after|start_?after(?:_\\w+_id)?|marker|continue|(?:batch|continuation|pagination|scroll|skip|start)_?token|page_?(?:id|key)|start_?id|iterator|bookmark|pagination_?key|resume(?:_?token)?|since_?id|last_?(?:id|key)|exclusive_?start_?key',
);
const pageNames = named('page|page_?(?:number|num|no|nr|index)|current_?page|number');
const offsetNames = named(
  'offset|skip|start|start_?at|start_?index|from|first_?result|page_?offset',
);
/** A start beside an end is that of a time or of a part, not the number of an item. */
const rangeStarts = named('start|from');
const rangeEnds = named('end|to|until|stop');
const limitNames = named(
  'limit|per_?page|page_?(?:size|limit)|pagelen|hits_?per_?page|max_?(?:results|items|records)|count|size|take|top|first|rows',
);
/**
 * How many items all pages may have together (OData 4.01 part 2, section 5.1.8): as the size of a page
 * it would end the list there, for no address follows.
 */
const mostOfAll = /^\$top$/i;
const known = new WeakMap<OperationNature, readonly ToolInput[]>();

const guesses = new WeakMap<OperationNature, { readonly guess: CuratedPagination | undefined }>();

/** How an operation pages, as far as its parameters and its answer tell together. */
export function guessPagination(
  document: ApiDocument,
  nature: OperationNature,
): CuratedPagination | undefined {
  // Asked for the vendor as a whole, for each draft of the operation, and for its obstacle.
  let known = guesses.get(nature);
  if (!known) {
    known = { guess: guessed(document, nature) };
    guesses.set(nature, known);
  }
  return known.guess;
}

function guessed(document: ApiDocument, nature: OperationNature): CuratedPagination | undefined {
  const { content } = nature;
  const answer = content?.schema ?? {};
  const list = answerList(document, content);
  const find = (names: RegExp, among = optionalInputs(document, nature)) =>
    among.filter((input) => names.test(input.wire) && isPlain(document, input));
  // This server knows the number of the first page: where it is demanded, no caller has to give it.
  const demanded = list === undefined ? [] : demandedInputs(document, nature);
  const counting = demanded.filter(({ wire }) => /page|offset|skip/i.test(wire));
  const limit = [...find(limitNames), ...find(limitNames, demanded)].find((input) =>
    mayCount(document, input),
  )?.wire;
  const size = limit === undefined ? {} : { limit };
  const address = nextAddressPath(document, answer);
  const isPaged = [cursorNames, pageNames, offsetNames].some((names) => find(names).length > 0);
  // Where the list is all that is read, the address alone leads on: no parameter has to (OData, ARM).
  const isRead = list !== undefined && nature.reads && nature.operation.method === 'GET';
  if (address !== undefined && (isPaged || limit !== undefined || isRead)) {
    const request = limit === undefined || mostOfAll.test(limit) ? {} : { request: size };
    return { style: 'next_url', ...request, response: { next: address } };
  }
  for (const cursor of find(cursorNames).filter((input) => mayContinue(document, input))) {
    const found = byCursor(document, { nature, cursor, list, size });
    if (found) return found;
  }
  const ends = endings(document, answer, list);
  const isRange = find(rangeEnds).length > 0;
  const offsets = [...find(offsetNames), ...find(offsetNames, counting)].filter(
    ({ wire }) => !(isRange && rangeStarts.test(wire)),
  );
  const offset = offsets.find(({ wire }) => /offset|skip/i.test(wire)) ?? offsets[0];
  const isNumber = offset && isType(mergedSchema(document, offset.schema), 'integer');
  const next = offset && nextValuePath(document, answer, offset.wire, isNumber);
  if (offset && next !== undefined && /next/i.test(next)) {
    return {
      style: styleOf(offset),
      request: { cursor: offset.wire, ...size },
      response: { next },
    };
  }
  // A body with a page in it asks for a list only where the answer is one.
  const pages = [...find(pageNames), ...find(pageNames, counting)].filter(
    (input) => (input.from === 'query' || list !== undefined) && isCounted(document, input),
  );
  // A number that is not said to be of a page may be that of a thing.
  const page =
    pages.find(({ wire }) => /page/i.test(wire)) ?? (limit === undefined ? undefined : pages[0]);
  if (page) {
    const request = { page: page.wire, ...size };
    if (content?.hasLink) return { style: 'link_header', request };
    if (content?.nextHeader !== undefined) {
      const response = { next_header: content.nextHeader };
      return { style: styleOf(page), request: { cursor: page.wire, ...size }, response };
    }
    const begin =
      describedFirst(page) === undefined && countsFromZero(document, answer) ? { first: 0 } : {};
    return { style: 'page', request, ...ends, ...pageEnd(document, answer, ends), ...begin };
  }
  const isOffset = offset && (limit !== undefined || /offset|skip/i.test(offset.wire));
  if (!isOffset || !isCounted(document, offset) || (offset.from === 'body' && !list)) {
    // The link alone tells where the next page is (RFC 8288, rel="next").
    const isLinked = content?.hasLink === true && list !== undefined && nature.reads;
    if (!isLinked) return undefined;
    return { style: 'link_header', ...(limit !== undefined && { request: size }) };
  }
  return { style: 'offset', request: { offset: offset.wire, ...size }, ...ends };
}

/** Whether numbers are among the values that a parameter lists, if it lists any. */
function mayCount(document: ApiDocument, { schema }: ToolInput): boolean {
  const values: unknown = mergedSchema(document, schema)['enum'];
  return !Array.isArray(values) || values.some((value) => /^\d+$/.test(String(value)));
}

/**
 * Whether the usual pagination takes from an operation the place at which a page begins and cannot give
 * the next one: the answer is no list whose items could be counted, or a bare list without room for it.
 * Then its callers say where a page begins.
 */
export function isLedByCaller(
  document: ApiDocument,
  nature: OperationNature,
  { style, request = {}, response }: CuratedPagination,
): boolean {
  const { cursor } = request;
  const list = answerList(document, nature.content);
  if (cursor !== undefined) {
    const isIn = response?.next?.startsWith('$[') === true;
    return !isIn && list?.path === '$' && takes(document, nature, cursor);
  }
  const position = { offset: request.offset, page: request.page }[String(style)];
  if (position === undefined || response !== undefined) return false;
  return list === undefined && takes(document, nature, position);
}

function takes(document: ApiDocument, nature: OperationNature, name: string): boolean {
  return optionalInputs(document, nature).some(({ wire }) => wire === name);
}

/**
 * Why nobody reaches the second page of a list by this server, though the vendor has one; nothing
 * where it is reached, or where there is none to be seen.
 */
export function pageObstacle(document: ApiDocument, nature: OperationNature): string | undefined {
  const list = answerList(document, nature.content);
  if (!list || guessPagination(document, nature) !== undefined) return undefined;
  const position = inputsOf(document, nature).find(
    ({ from, wire, path }) =>
      (from === 'query' || (from === 'body' && path.length === 1)) &&
      [cursorNames, pageNames].some((names) => names.test(wire)),
  );
  // The number of what is changed is no page.
  if (!position || (position.from === 'body' && !nature.reads)) return undefined;
  const { wire, required } = position;
  if (required) return `"${wire}" is required: the caller says where a page begins`;
  if (!isPlain(document, position)) return `"${wire}" is no single value`;
  return `nothing in the answer is described as the next "${wire}"`;
}

/** Parameters that say where a page begins: of no use to callers where answers name the next one. */
export function positionNames(document: ApiDocument, nature: OperationNature): string[] {
  return optionalInputs(document, nature)
    .filter((input) => input.from === 'query' && isPlain(document, input))
    .filter(({ wire }) => [cursorNames, pageNames, offsetNames].some((names) => names.test(wire)))
    .filter((input) => !cursorNames.test(input.wire) || mayContinue(document, input))
    .map(({ wire }) => wire);
}

/** Where the list stands in an answer: the whole of it, or its only list where nothing else is lost. */
export function guessItems(document: ApiDocument, { content, operation }: OperationNature) {
  const list = answerList(document, content);
  // The read of one thing, which may well have a list in it.
  if (!list?.isWhole || (list.path !== '$' && /\}\/?$/.test(operation.path))) return undefined;
  return list.path;
}

function byCursor(
  document: ApiDocument,
  found: {
    readonly nature: OperationNature;
    readonly cursor: ToolInput;
    readonly list: AnswerList | undefined;
    readonly size: { readonly limit?: string };
  },
): CuratedPagination | undefined {
  const { nature, cursor, list, size } = found;
  const { content } = nature;
  const request = { cursor: cursor.wire, ...size };
  const answer = content?.schema ?? {};
  const next = nextValuePath(document, answer, cursor.wire);
  const more = hasMorePath(document, answer);
  if (next !== undefined) {
    const isBeside =
      more !== undefined && next.startsWith(more.replace(/(?:\.[^.[\]]+|\[[^\]]*\])$/, ''));
    const response = { next, ...(isBeside && { has_more: more }) };
    return { style: styleOf(cursor), request, response };
  }
  if (content?.nextHeader !== undefined) {
    return { style: styleOf(cursor), request, response: { next_header: content.nextHeader } };
  }
  const linked: CuratedPagination | undefined =
    cursor.from === 'query' ? { style: 'link_header', request } : undefined;
  if (content?.hasLink || isToldOfLink(document, cursor)) return linked;
  if (!list) return undefined;
  const isBare = list.path === '$';
  if (isBare && leadsEitherWay(optionalInputs(document, nature), cursor)) return undefined;
  const last = lastId(document, list, cursor);
  // An answer that is a bare list has no room for the next cursor: else it comes in a header.
  if (last === undefined) return isBare ? linked : undefined;
  const response = { next: last, ...(more !== undefined && { has_more: more }) };
  return { style: styleOf(cursor), request, response };
}

function styleOf({ from }: ToolInput): 'token_body' | 'cursor' {
  return from === 'body' ? 'token_body' : 'cursor';
}

/** What tells that a list of numbered pages goes on. */
function endings(
  document: ApiDocument,
  answer: Readonly<Record<string, unknown>>,
  list: AnswerList | undefined,
): Pick<CuratedPagination, 'response'> {
  const more = hasMorePath(document, answer);
  const total = more === undefined ? totalPath(document, answer) : undefined;
  const counted = list !== undefined && !list.isWhole ? list.path : undefined;
  const response = {
    ...(more !== undefined && { has_more: more }),
    ...(total !== undefined && { total }),
    ...(counted !== undefined && { counted }),
  };
  return Object.keys(response).length === 0 ? {} : { response };
}

/** The number of all pages, where nothing else tells which one is the last. */
function pageEnd(
  document: ApiDocument,
  answer: Readonly<Record<string, unknown>>,
  { response }: Pick<CuratedPagination, 'response'>,
): Pick<CuratedPagination, 'response'> {
  const isTold = response?.has_more !== undefined || response?.total !== undefined;
  const pages = isTold ? undefined : pagesPath(document, answer);
  return pages === undefined ? {} : { response: { ...response, pages } };
}

/**
 * Whether an answer is a page of Spring Data: such pages are numbered from 0, and descriptions made
 * from the code do not say so.
 */
function countsFromZero(document: ApiDocument, answer: Readonly<Record<string, unknown>>): boolean {
  const names = new Set(membersOf(document, answer).map(([name]) => name));
  return ['content', 'number', 'totalPages', 'totalElements'].every((name) => names.has(name));
}

/** A member of a filter, as in `createdAt[after]`. */
const filtering = /^(?!page|pagination|paging|cursor|list|options?\b)\w+\[\w+\]$/i;

/** Cursors by these names may as well be times. */
const timely = /^(?:after|since)$/i;

/** A position in a list, and no bound of what is in it, such as the time since when. */
function mayContinue(document: ApiDocument, { wire, schema }: ToolInput): boolean {
  const isTime = timely.test(wire) && isType(mergedSchema(document, schema), 'number');
  return !filtering.test(wire) && !isTime;
}

/** One value; what is created after a day is a filter. */
function isPlain(document: ApiDocument, { schema }: ToolInput): boolean {
  const node = mergedSchema(document, schema);
  const isDay = node['format'] === 'date-time' || node['format'] === 'date';
  return !isDay && !['object', 'array', 'boolean'].some((type) => isType(node, type));
}

/** A number, or a text that is not said to be anything else. */
function isCounted(document: ApiDocument, { schema, wire }: ToolInput): boolean {
  const { type, enum: choices } = mergedSchema(document, schema);
  if (choices !== undefined) return false;
  return (
    type === 'integer' ||
    type === 'number' ||
    type === undefined ||
    Array.isArray(type) ||
    (type === 'string' && /page|offset|skip|index/i.test(wire))
  );
}

/** The parameters and members of the body that a caller may leave out. */
function optionalInputs(document: ApiDocument, nature: OperationNature): readonly ToolInput[] {
  const earlier = known.get(nature);
  if (earlier) return earlier;
  const inputs = inputsOf(document, nature).filter(
    ({ from, path, required }) =>
      !required && (from === 'query' || (from === 'body' && path.length === 1)),
  );
  known.set(nature, inputs);
  return inputs;
}

/** The parameters in the address that a caller has to give. */
function demandedInputs(document: ApiDocument, nature: OperationNature): readonly ToolInput[] {
  return inputsOf(document, nature).filter(({ from, required }) => required && from === 'query');
}

function inputsOf(document: ApiDocument, { operation }: OperationNature): readonly ToolInput[] {
  try {
    return operationInputs(document, operation).inputs;
  } catch (error) {
    // It has no finite list of arguments, which is reported where the tool is planned.
    if (error instanceof RecursiveShapeError) return [];
    throw error;
  }
}
