import type { ToolInput } from '../../../model/vendor/inputs/tool-input.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import { named } from './paging-names.ts';

/** Names that say where a list begins, or since when a thing is in it. */
const beginnings = named('after|from|since|start');

const ofMoment =
  /\b(?:date(?:[- ]?time)?|day|epoch|timestamp|(?:start(?:ing)?|end(?:ing)?|unix|utc) time)s?\b|\byyyy|\biso[- ]?8601|\brfc[- ]?3339/i;
/** What is said of a place in a list, in which a date may be, too. */
const ofPlace =
  /\b(?:cursors?|ids?|identifiers?|index|items? to skip|offset|page|paginat\w+|paging|position|rows?|tokens?)\b/i;
const shownMoment = /^\d{4}-\d\d(?:-\d\d)?(?:$|[T ])/;

/** Characters of a text in which it says what a parameter takes. */
const longestTold = 400;

/**
 * Whether a parameter is said, or shown, to take the time since when things are wanted: what it is called
 * may be a place in a list as well, and whoever calls would have no way to give it.
 */
export function isToldMoment(document: ApiDocument, input: ToolInput): boolean {
  if (!beginnings.test(input.wire)) return false;
  const { description, example, examples } = mergedSchema(document, input.schema);
  const shown = [example, examples, input.style['example']].flat();
  if (shown.some((each) => typeof each === 'string' && shownMoment.test(each))) return true;
  const told = [input.description, description]
    .map((text) => String(text ?? '').slice(0, longestTold))
    .join(' ');
  return ofMoment.test(told) && !ofPlace.test(told);
}
