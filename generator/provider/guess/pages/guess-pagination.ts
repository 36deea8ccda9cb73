import type { CuratedPagination } from '../../../model/shape/curation.ts';
import { describedFirst } from '../../../model/vendor/inputs/paging.ts';
import type { ToolInput } from '../../../model/vendor/inputs/tool-input.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import { doesAgain } from '../../operations/nature/does-again.ts';
import type { OperationNature } from '../../operations/operation-nature.ts';
import { type AnswerList, isType, membersOf } from './answer-list.ts';
import {
  bareNextPath,
  hasMorePath,
  isToldNext,
  linkListPath,
  nextAddressPath,
  nextPagePath,
  nextValuePath,
  openLinksPath,
  pagesPath,
} from './answer-position.ts';
import { byHeader } from './header-cursor.ts';
import { keyPartsOf } from './key-parts.ts';
import { isBoundToOther, isToldOfLink, lastId, leadsEitherWay, toldHeader } from './last-item.ts';
import { makesForm, pagedByForm } from './page-alternatives.ts';
import { endings, isEnding, isTold, pageEnd } from './page-endings.ts';
import {
  countsAnything,
  demandedInputs,
  isCounted,
  isFilter,
  isNumeric,
  isPlain,
  mayContinue,
  mayCount,
  optionalInputs,
  pageHolder,
  tokenName,
} from './page-inputs.ts';
import {
  cursorNames,
  limitNames,
  offsetNames,
  pageIds,
  pageNames,
  rangeEnds,
  rangeStarts,
} from './paging-names.ts';
import { syncNames, withoutSyncs } from './sync-tokens.ts';
import {
  givesOneThing,
  isAsked,
  isById,
  isNamedThing,
  isThingWithList,
  listOf,
} from './told-list.ts';

/**
 * How many items all pages may have together (OData 4.01 part 2, section 5.1.8): as the size of a page
 * it would end the list there, for no address follows.
 */
const mostOfAll = /^\$top$/i;

/** How an operation pages, and the member of its body whose members say so. */
interface Guess {
  readonly guess: CuratedPagination | undefined;
  readonly wrap?: string;
}

const guesses = new WeakMap<OperationNature, Guess>();

/** How an operation pages, as far as its parameters and its answer tell together. */
export function guessPagination(
  document: ApiDocument,
  nature: OperationNature,
): CuratedPagination | undefined {
  return guessOf(document, nature).guess;
}

/** The member of the body that has to be taken apart, so that an operation pages as is guessed. */
export function guessWrap(document: ApiDocument, nature: OperationNature): string | undefined {
  return guessOf(document, nature).wrap;
}

function guessOf(document: ApiDocument, nature: OperationNature): Guess {
  // Asked for the vendor as a whole, for each draft of the operation, and for its obstacle.
  const known = guesses.get(nature) ?? guessAnew(document, nature);
  guesses.set(nature, known);
  return known;
}

function guessAnew(document: ApiDocument, nature: OperationNature): Guess {
  const isOne = givesOneThing(document, nature) || writesOneThing(document, nature);
  if (isOne || doesAgain(nature)) return { guess: undefined };
  const guess = guessed(document, nature);
  if (guess !== undefined || !nature.reads) return { guess };
  const wrap = pageHolder(document, nature);
  const within = wrap === undefined ? undefined : guessed(document, nature, wrap);
  if (within === undefined || wrap === undefined) return { guess: byListedLink(document, nature) };
  const ends = endings(document, nature.content?.schema ?? {}, listOf(document, nature));
  return { guess: pagedByForm(document, nature, { guess: within, wrap, ends }), wrap };
}

/** What is created or changed may have members that are called like a place in a list, and lists of its own. */
function writesOneThing(document: ApiDocument, nature: OperationNature): boolean {
  if (nature.reads) return false;
  return listOf(document, nature) === undefined || isThingWithList(document, nature);
}

/** A list without anything to count by, whose answers have the address of the next page among their links. */
function byListedLink(
  document: ApiDocument,
  nature: OperationNature,
): CuratedPagination | undefined {
  const { content, operation } = nature;
  const next = linkListPath(document, content?.schema ?? {});
  const list = listOf(document, nature);
  if (next === undefined || !list || isNamedThing(document, nature)) return undefined;
  if (!isAsked(list, operation.path) || operation.method !== 'GET') return undefined;
  const limit = optionalInputs(document, nature).find(
    (input) => limitNames.test(input.wire) && isPlain(document, input) && mayCount(document, input),
  )?.wire;
  const isSized = limit !== undefined && !mostOfAll.test(limit);
  return { style: 'next_url', ...(isSized && { request: { limit } }), response: { next } };
}

function guessed(
  document: ApiDocument,
  nature: OperationNature,
  wrap?: string,
): CuratedPagination | undefined {
  const { content } = nature;
  const answer = content?.schema ?? {};
  const list = listOf(document, nature);
  const find = (names: RegExp, among = optionalInputs(document, nature, wrap)) =>
    among.filter((input) => names.test(input.wire) && isPlain(document, input));
  // This server knows the number of the first page: where it is demanded, no caller has to give it.
  const demanded = list === undefined ? [] : demandedInputs(document, nature, wrap);
  const counting = demanded.filter(({ wire }) => /page|offset|skip/i.test(wire));
  const limit = [...find(limitNames), ...find(limitNames, demanded)].find((input) =>
    mayCount(document, input),
  )?.wire;
  const size = limit === undefined ? {} : { limit };
  const address = nextAddressPath(document, answer);
  const isPaged = [cursorNames, pageNames, offsetNames].some((names) => find(names).length > 0);
  // Where the list is all that is read, the address alone leads on: no parameter has to (OData, ARM).
  const isAbout = list?.isWhole === true || !isById(nature);
  const isRead = list !== undefined && isAbout && nature.reads && nature.operation.method === 'GET';
  if (address !== undefined && (isPaged || limit !== undefined || isRead)) {
    const request = limit === undefined || mostOfAll.test(limit) ? {} : { request: size };
    return { style: 'next_url', ...request, response: { next: address } };
  }
  const told = optionalInputs(document, nature, wrap).filter(
    (input) => list && isPlain(document, input) && isToldNext(document, answer, input.wire),
  );
  const tokens = find(tokenName).filter(({ path }) => wrap !== undefined && path[0] === wrap);
  const named = [...new Set([...find(cursorNames), ...tokens, ...told])];
  const cursors = withoutSyncs(document, answer, { cursors: named, syncs: find(syncNames) });
  const isCursor = (input: ToolInput) =>
    (mayContinue(document, input) || isGivenBack(document, answer, input)) &&
    !isOfPage(document, answer, input);
  const numbered = list && cursors.find((input) => isPageNumber(document, answer, input));
  for (const cursor of numbered === undefined ? cursors.filter(isCursor) : []) {
    const found = byCursor(document, { nature, cursor, list, size });
    if (found) return found;
  }
  const sentBack = list === undefined ? undefined : byHeader(document, nature, size);
  if (sentBack) return sentBack;
  const ends = endings(document, answer, list);
  const starts = [...find(offsetNames), ...find(offsetNames, counting)];
  const ranges =
    find(rangeEnds).length > 0 ? starts.filter(({ wire }) => rangeStarts.test(wire)) : [];
  // Of "start", "end" and "from" the first two belong together.
  const bounds = ranges.filter(({ wire }) => ranges.length === 1 || !/from$/i.test(wire));
  const offsets = starts.filter((input) => !bounds.includes(input));
  const offset = offsets.find(({ wire }) => /offset|skip/i.test(wire)) ?? offsets[0];
  const isNumber = offset && isNumeric(document, offset.schema);
  const found = offset && nextValuePath(document, answer, offset.wire, isNumber);
  // The number of the next page is no number of rows.
  const isPage =
    isNumber === true && /page$/i.test(found ?? '') && !/page/i.test(offset?.wire ?? '');
  const next = isPage ? undefined : found;
  const isGiven = next !== undefined && (/next/i.test(next) || isToken(document, nature, offset));
  const bare = bareNextPath(document, answer);
  if (offset && next !== undefined && isGiven) {
    // What is called "next" and no more may be the address as well as the value in it.
    const style = next === bare && offset.from === 'query' ? 'next_url' : styleOf(offset);
    return { style, request: { cursor: offset.wire, ...size }, response: { next } };
  }
  // A body with a page in it asks for a list only where the answer is one.
  const pages = [...find(pageNames), ...find(pageNames, counting)].filter(
    (input) =>
      (input.from === 'query' || list !== undefined) &&
      (limit !== undefined || !isFilter(input)) &&
      isCounted(document, input),
  );
  // A number that is not said to be of a page may be that of a thing.
  const page =
    numbered ??
    pages.find(({ wire }) => /page/i.test(wire)) ??
    (limit === undefined ? undefined : pages[0]);
  if (page) {
    const request = { page: page.wire, ...size };
    if (content?.hasLink) return { style: 'link_header', request };
    if (content?.nextHeader !== undefined) {
      const response = { next_header: content.nextHeader };
      return { style: styleOf(page), request: { cursor: page.wire, ...size }, response };
    }
    const ended = { ...ends, ...pageEnd(document, answer, ends) };
    const next = isTold(ended) ? undefined : nextPagePath(document, answer);
    // What is no number may be any text: it comes back as it was told, or as it stands in an address.
    const isText = isType(mergedSchema(document, page.schema), 'string');
    if (next !== undefined && isText && page.from === 'query') {
      return { style: 'next_url', request, response: { next } };
    }
    if (next === undefined && !isEnding(list, ended)) return undefined;
    const begin =
      describedFirst(page) === undefined && countsFromZero(document, answer) ? { first: 0 } : {};
    const response = next === undefined ? {} : { response: { ...ended.response, next } };
    return { style: 'page', request, ...ended, ...response, ...begin };
  }
  const isOffset = offset && (limit !== undefined || /offset|skip|row/i.test(offset.wire));
  if (!isOffset || !isCounted(document, offset) || (offset.from === 'body' && !list)) {
    // The link alone tells where the next page is (RFC 8288, rel="next").
    const request = limit === undefined ? {} : { request: size };
    if (list === undefined || !nature.reads) return undefined;
    if (content?.hasLink === true) return { style: 'link_header', ...request };
    const leads = bareNextPath(document, answer, false);
    // What comes next of one thing, such as a step to take, leads to no page of a list in it.
    const isSought = list.isWhole || isAsked(list, nature.operation.path);
    if (isPaged || !isRead || leads === undefined || !isSought) return undefined;
    return { style: 'next_url', ...request, response: { next: leads } };
  }
  if (bare !== undefined && offset.from === 'query' && !isTold(ends)) {
    return {
      style: 'next_url',
      request: { offset: offset.wire, ...size },
      response: { next: bare },
    };
  }
  if (!isEnding(list, ends)) return undefined;
  const begin = countsFromOne(document, answer, offset) ? { first: 1 } : {};
  return { style: 'offset', request: { offset: offset.wire, ...size }, ...ends, ...begin };
}

/**
 * Whether an offset is a text that the answer gives, as Airtable has it, and no number that it repeats
 * beside the size and the total.
 */
function isToken(document: ApiDocument, { content }: OperationNature, offset?: ToolInput): boolean {
  const members = membersOf(document, content?.schema ?? {});
  const same = members.find(([name]) => name === offset?.wire);
  const isCounted = members.some(([name]) => limitNames.test(name) || /^total/i.test(name));
  const isText = isType(mergedSchema(document, offset?.schema), 'string');
  return isText && same !== undefined && isType(same[1], 'string') && !isCounted;
}

/** Whether an answer is a list of SCIM, whose items are numbered from 1 (RFC 7644, section 3.4.2.4). */
function countsFromOne(
  document: ApiDocument,
  answer: Readonly<Record<string, unknown>>,
  { wire }: ToolInput,
): boolean {
  const names = new Set(membersOf(document, answer).map(([name]) => name));
  return wire === 'startIndex' && names.has('Resources') && names.has('totalResults');
}

/** Whether an answer calls what a parameter takes a cursor: a number that could be a time is none then. */
function isGivenBack(
  document: ApiDocument,
  answer: Readonly<Record<string, unknown>>,
  { wire }: ToolInput,
): boolean {
  return /\bcursors?\b/i.test(nextValuePath(document, answer, wire) ?? '');
}

/** Whether an id is that of a page which things belong to: nothing says of it that one comes next. */
function isOfPage(
  document: ApiDocument,
  answer: Readonly<Record<string, unknown>>,
  { wire }: ToolInput,
): boolean {
  if (!pageIds.test(wire)) return false;
  return !/next|cursor|token/i.test(nextValuePath(document, answer, wire) ?? '');
}

/** Whether what is called a cursor counts pages: it begins at the first one, and the answer says which of how many it is. */
function isPageNumber(
  document: ApiDocument,
  answer: Readonly<Record<string, unknown>>,
  { wire, schema }: ToolInput,
): boolean {
  const { default: usual, minimum, type } = mergedSchema(document, schema);
  const isFirst = [usual, minimum].some((value) => value === 0 || value === 1);
  if (!isFirst || isType({ type }, 'string') || pagesPath(document, answer) === undefined)
    return false;
  const isTold = membersOf(document, answer).some(
    ([name, member]) =>
      /^(?:current_?)?page(?:_?(?:number|index))?$/i.test(name) && isNumeric(document, member),
  );
  return isTold && nextValuePath(document, answer, wire, true) === undefined;
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
  if (keyPartsOf(document, nature).includes(cursor.wire)) return undefined;
  const more = hasMorePath(document, answer);
  if (next !== undefined) {
    const isBeside =
      more !== undefined && next.startsWith(more.replace(/(?:\.[^.[\]]+|\[[^\]]*\])$/, ''));
    const response = { next, ...(isBeside && { has_more: more }) };
    return { style: styleOf(cursor), request, response };
  }
  // Whatever an API sends with every answer, one thing has no pages.
  if (isNamedThing(document, nature)) return undefined;
  const header = content?.nextHeader ?? toldHeader(document, cursor);
  if (header !== undefined) {
    return { style: styleOf(cursor), request, response: { next_header: header } };
  }
  const linked: CuratedPagination | undefined =
    cursor.from === 'query' ? { style: 'link_header', request } : undefined;
  if (content?.hasLink || isToldOfLink(document, cursor)) return linked;
  if (!list) return undefined;
  const links = /[+]json$/.test(content?.contentType ?? '') && openLinksPath(document, answer);
  if (links) {
    const { limit } = size;
    const paged = limit === undefined ? {} : { request: { limit } };
    return { style: 'next_url', ...paged, response: { next: links } };
  }
  const isBare = list.path === '$';
  if (isBare && leadsEitherWay(optionalInputs(document, nature), cursor)) return undefined;
  // One that needs another parameter gives the first page again without it.
  if (isBoundToOther(document, cursor) && countsAnything(document, nature)) return undefined;
  const last = makesForm(document, nature, cursor) ? undefined : lastId(document, list, cursor);
  // An answer that is a bare list has no room for the next cursor: else it comes in a header.
  if (last === undefined) return isBare ? linked : undefined;
  const response = { next: last, ...(more !== undefined && { has_more: more }) };
  return { style: styleOf(cursor), request, response };
}

function styleOf({ from }: ToolInput): 'token_body' | 'cursor' {
  return from === 'body' ? 'token_body' : 'cursor';
}

/**
 * Whether an answer is a page of Spring Data: such pages are numbered from 0, and descriptions made
 * from the code do not say so.
 */
function countsFromZero(document: ApiDocument, answer: Readonly<Record<string, unknown>>): boolean {
  const names = new Set(membersOf(document, answer).map(([name]) => name));
  return ['content', 'number', 'totalPages', 'totalElements'].every((name) => names.has(name));
}
