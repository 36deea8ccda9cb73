import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { wordsOf } from '../../../model/texts/names.ts';
import { imperativeOf } from './said-to-act.ts';
import { destroying, goingOn, isMaking } from './verbs.ts';

/** How a text tells of what one caller alone gets: "Take the next message off the queue". */
const nextOne = /\bthe next\b(?! (?:pages?|results?)\b)/i;

/** How a text tells of what is another one after each call, and a path: "Delete the last message". */
const lastOne = /^\W*\w+ the (?:first|last|latest|newest|oldest)\b/i;
const lastPlace = /^(?:first|last|latest|newest|oldest)$/i;

/** How a text tells of a change that counts from what is there: "Adjust the stock by an amount". */
const byAmount =
  /\bby (?:(?:an?|the) (?:\w+ )?(?:amount|delta|difference|increment|number|step)|one|\d+)\b/i;

/** What a DELETE finds by where it stands, another one after each call: `/lines/{index}`. */
const placeInList = /[^/{}]\/\{(?:index|idx|position|pos)\}\/?$/i;

/** How a text begins that makes something new, of which a path that ends in no name of it makes one each time. */
const makingNew = /^\W*(?:adds?|creates?) (?:an? |one )/i;

const denied = /\b(?:not|isn't|non)[- ]idempotent\b/i;

/** How a text goes on that joins one more act to the first: "Update an order and send it". */
const joined = /^[^.\n]*?\b(?:and|then) (?:then )?(\w+)/i;

/** What callers make up for one act, in the place where PUT names what it acts on. */
const ownAct = /\{\w*(?:idempoten|request|transaction|txn)\w*\}$/i;

/**
 * Whether a second call does more than the first one, by what names and the text have for a verb: `PUT
 * /counters/{id}/increment`, `DELETE /queue/next`, "Append a line". Methods promise that none does (RFC
 * 9110, section 9.2.2), vendors do not always keep it.
 */
export function goesOn(operation: ApiOperation, summary: string): boolean {
  const { id = '', path, node, method } = operation;
  if (method === 'PUT' && ownAct.test(path)) return false;
  const texts = `${summary}\n${node['description'] ?? ''}`;
  if (takesNext(operation, texts) || nextOne.test(summary) || denied.test(texts)) return true;
  if (byAmount.test(summary)) return true;
  if (method === 'PUT' && makingNew.test(summary) && !/\}\/?$/.test(path)) return true;
  if (
    method === 'DELETE' &&
    (lastOne.test(summary) || lastPlace.test(lastPart(path)) || placeInList.test(path))
  )
    return true;
  const named = lowerWords(id);
  const [verb = ''] = named;
  const [begun = ''] = lowerWords(summary);
  const told = imperativeOf(summary)?.replace(/s$/, '');
  const isDeleted = method === 'DELETE' && [...named, begun].some((word) => destroying.test(word));
  // `updateShift` is about a shift, and so is what deletes `/shift`.
  const ends = isDeleted ? [] : [isMaking(verb) ? '' : named.at(-1), lastPart(path).toLowerCase()];
  const more = joined.exec(summary)?.[1]?.toLowerCase();
  return [verb, begun, told, ...ends, more].some((word = '') => goingOn.has(word));
}

/** Whether each call goes on by one, which none gives back: pages are asked for again. */
export function takesNext({ path }: Pick<ApiOperation, 'path'>, text: string): boolean {
  return /^next$/i.test(lastPart(path)) && !/\b(?:pages?|results?)\b/i.test(text);
}

function lastPart(path: string): string {
  return path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
}

function lowerWords(text: string): string[] {
  return wordsOf(text).map((word) => word.toLowerCase());
}
