import { isObject } from '#contract/json';
import type { ToolInput } from '../../../model/vendor/inputs/tool-input.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import { speaksOfLink } from '../../examples/success-content.ts';
import { type AnswerList, membersOf, step } from './answer-list.ts';
import { named } from './paging-names.ts';

/** A cursor of these names is the id of the last item (as Stripe has it). */
const itemCursors = named(
  '(?:page_?)?after|after_?id|starting_?after|start_?after|since_?id|last_?(?:seen_?)?id',
);
/** And one of these where it is said to be: a marker may be a token of the vendor's own. */
const markers = named('marker');
/** What begins at an id may also begin with that item: it is one of the last item where it is said to begin after it. */
const starts = named('start_?id');
/** Those of them that say by their name that they lead on, whatever stands beside them. */
const leadingCursors = named('starting_?after|start_?after|page_?after');
/** What leads the other way: beside one of these, "after" may lead back to what is newer. */
const oppositeCursors = named('(?:page_?)?before|before_?id|max_?id|until_?id');

/** What vendors call an id besides `id`; a cursor that is made of one of them says so. */
const idNames = ['uuid', 'uid', 'gid', 'sid', 'token', 'key', 'slug'];

/** Where the last item of a list has what a cursor takes that is called after it. */
export function lastId(
  document: ApiDocument,
  { path, item }: AnswerList,
  cursor: ToolInput,
): string | undefined {
  const said = textsOf(document, cursor).join(' ').toLowerCase();
  const isMarker = markers.test(cursor.wire) && /\bid\b.*\blast\b|\blast\b.*\bid\b/s.test(said);
  const isStart = starts.test(cursor.wire) && /\bafter\b/.test(said);
  if (!itemCursors.test(cursor.wire) && !isMarker && !isStart) return undefined;
  const held = heldIn(document, item);
  // Items of a bare list that take several forms are as likely to go on by a link.
  const members = certainMembers(document, held?.item ?? item, path === '$' ? 0 : 2);
  const other = idNames.find((name) => members.has(name) && new RegExp(`\\b${name}\\b`).test(said));
  const name = members.has('id') ? 'id' : other;
  return name === undefined ? undefined : `${path}[-1]${held?.step ?? ''}.${name}`;
}

/** What an item holds that is nothing but an envelope: `{data: {id}}`, with its links at most. */
function heldIn(
  document: ApiDocument,
  item: Readonly<Record<string, unknown>>,
): { readonly item: Readonly<Record<string, unknown>>; readonly step: string } | undefined {
  const members = membersOf(document, item).filter(
    ([name]) => !/^(?:_?links?|ur[il])$/i.test(name),
  );
  const [only, another] = members;
  if (only === undefined || another !== undefined || !isObject(only[1]['properties']))
    return undefined;
  return { item: only[1], step: step(only[0]) };
}

/** The members that an item has, whichever of its forms it takes; forms within forms are looked through once. */
function certainMembers(
  document: ApiDocument,
  { properties, oneOf, anyOf }: Readonly<Record<string, unknown>>,
  levels: number,
): ReadonlySet<string> {
  const own = new Set(isObject(properties) ? Object.keys(properties) : []);
  const choices = [oneOf, anyOf].find((each) => Array.isArray(each)) ?? [];
  if (choices.length === 0 || levels === 0) return own;
  const forms = choices.map((choice) =>
    certainMembers(document, mergedSchema(document, choice), levels - 1),
  );
  return forms.reduce((all, form) => all.intersection(form)).union(own);
}

/** Whether a cursor may lead on or back: which of the two is the next page, the order of the list decides. */
export function leadsEitherWay(inputs: readonly ToolInput[], cursor: ToolInput): boolean {
  if (!itemCursors.test(cursor.wire) || leadingCursors.test(cursor.wire)) return false;
  return inputs.some(({ wire }) => oppositeCursors.test(wire));
}

/** Whether what is said of a cursor is that it comes from a Link header. */
export function isToldOfLink(document: ApiDocument, cursor: ToolInput): boolean {
  return textsOf(document, cursor).some(speaksOfLink);
}

/** The header that a cursor is said to come from: "Get a cursor via the X-Acme-Cursor-Next header". */
export function toldHeader(document: ApiDocument, cursor: ToolInput): string | undefined {
  const found = textsOf(document, cursor).map((text) => fromHeader.exec(text)?.[1]);
  return found.find((name) => name !== undefined && /cursor|next|token|page/i.test(name));
}

const fromHeader =
  /(?<![\w-])([A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+)[`'"*]{0,3} (?:response )?header\b/i;

/** Whether what is said of a cursor is that it needs another parameter, or that others are better. */
export function isBoundToOther(document: ApiDocument, cursor: ToolInput): boolean {
  return textsOf(document, cursor).some((text) => bound.test(text));
}

const bound =
  /\b(?:needs?|requires?)\b[^.]{0,60}\b(?:defined|set|given|specified|present|provided)\b|\buse\W{1,3}(?:page|offset)\W{1,3}instead\b/i;

function textsOf(document: ApiDocument, { schema, description }: ToolInput): readonly string[] {
  const texts = [description, mergedSchema(document, schema)['description']];
  return texts.filter((text) => typeof text === 'string');
}
