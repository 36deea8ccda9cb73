import { pageMeaning } from '#contract/text/page-names';
import type { CuratedPagination } from '../../../model/shape/curation.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { doesAgain } from '../../operations/nature/does-again.ts';
import type { OperationNature } from '../../operations/operation-nature.ts';
import { hasMorePath, linkListPath, namedNext, pagesPath } from './answer-position.ts';
import { guessPagination } from './guess-pagination.ts';
import { keyPartsOf } from './key-parts.ts';
import {
  headerCursors,
  inputsOf,
  isOpen,
  isPlain,
  mayContinue,
  optionalInputs,
  pageHolder,
} from './page-inputs.ts';
import { cursorNames, pageIds, pageNames } from './paging-names.ts';
import { givesOneThing, isNamedThing, isThingWithList, listOf } from './told-list.ts';

/**
 * Whether the usual pagination takes from an operation the place at which a page begins and cannot give
 * the next one: the answer is one thing, no list whose items could be counted, or a bare list without
 * room for it. Then its callers say where a page begins.
 */
export function isLedByCaller(
  document: ApiDocument,
  nature: OperationNature,
  { style, request = {}, response }: CuratedPagination,
): boolean {
  const { cursor } = request;
  if (doesAgain(nature) || givesOneThing(document, nature) || isNamedThing(document, nature)) {
    return Object.values(request).some((name) => takes(document, nature, String(name)));
  }
  const list = listOf(document, nature);
  if (cursor !== undefined) {
    const isIn = response?.next?.startsWith('$[') === true;
    return !isIn && list?.path === '$' && takes(document, nature, cursor);
  }
  const position = { offset: request.offset, page: request.page }[String(style)];
  return position !== undefined && list === undefined && takes(document, nature, position);
}

function takes(document: ApiDocument, nature: OperationNature, name: string): boolean {
  return optionalInputs(document, nature).some(({ wire }) => wire === name);
}

/**
 * Why nobody reaches the second page of a list by this server, though the vendor has one; nothing
 * where it is reached, or where there is none to be seen.
 */
export function pageObstacle(document: ApiDocument, nature: OperationNature): string | undefined {
  const list = listOf(document, nature);
  if (!list || guessPagination(document, nature) !== undefined) return undefined;
  const holder = pageHolder(document, nature);
  const inputs = inputsOf(document, nature, holder);
  const position = inputs.find(
    (input) =>
      isOpen(input, holder) &&
      mayContinue(document, input) &&
      // The id of a page that has to be named is that of what is asked for.
      !(input.required && pageIds.test(input.wire)) &&
      [cursorNames, pageNames].some((names) => names.test(input.wire)),
  );
  // The number of what is changed is no page.
  if (position && (position.from !== 'body' || nature.reads)) {
    const { wire, required } = position;
    if (required) return `"${wire}" is required: the caller says where a page begins`;
    if (!isPlain(document, position)) return `"${wire}" is no single value`;
    const parts = keyPartsOf(document, nature).map((name) => `"${name}"`);
    if (parts.length > 1) return `${parts.join(' and ')} go on together, which one cursor cannot`;
    return `nothing in the answer is described as the next "${wire}"`;
  }
  const counted = inputs.find(({ from, wire }) => from === 'header' && countedHeaders.test(wire));
  if (counted)
    return `the header "${counted.wire}" says where a page begins, which no cursor fills`;
  const sentBack = inputs.find(
    ({ from, wire }) => from === 'header' && headerCursors.test(wire),
  )?.wire;
  if (sentBack !== undefined && nature.reads)
    return `the header "${sentBack}" says where a page begins, and nothing of the answer is described that gives it`;
  if (!nature.reads || isNamedThing(document, nature) || isThingWithList(document, nature))
    return undefined;
  const isListed = linkListPath(document, nature.content?.schema ?? {}) !== undefined;
  if (isListed && nature.operation.method !== 'GET') return listOfLinks;
  // Callers may go on by what is left to them, such as a time.
  if (inputs.some(({ wire }) => pageMeaning(wire) === 'place')) return undefined;
  const answer = nature.content?.schema ?? {};
  const next = namedNext(document, answer);
  if (next !== undefined)
    return `the answer names "${next}", and nothing is described that takes it`;
  const header = inputs.some(({ wire }) => /range/i.test(wire))
    ? undefined
    : nature.content?.headers.find((name) => pagesHeaders.test(name));
  const more = hasMorePath(document, answer) ?? pagesPath(document, answer) ?? header;
  if (more === undefined) return undefined;
  return `the answer tells of more pages (${more}), and nothing is described that asks for one`;
}

/** Headers of a request in which somebody counts. */
const countedHeaders = /^(?:range|(?:x[-_])?(?:page(?:[-_]?(?:number|no|num|index))?|offset))$/i;

/** Headers that tell how many pages there are, or which part of all items this is (RFC 9110, section 14.4). */
const pagesHeaders =
  /^(?:content-range|(?:x[-_])?(?:[a-z]+[-_])?(?:total[-_]?pages|pages?[-_]?(?:count|total)))$/i;

const listOfLinks =
  'the next page stands in a list of links, of which only those of a GET are followed';
