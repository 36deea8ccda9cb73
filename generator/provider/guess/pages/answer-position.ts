import { isObject } from '#contract/json';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import { oncePerSchema } from '../../examples/once-per-schema.ts';
import { isType, membersOf, step } from './answer-list.ts';

type Node = Readonly<Record<string, unknown>>;

/** A member of an answer, and the names that lead to it. */
interface Leaf {
  readonly names: readonly string[];
  readonly schema: Node;
}

const levels = 3;

const nextNames =
  /^next_?(?:page_?|start_?|continuation_?)?(?:anchor|cursor|token|marker|offset|id|key|start|batch|page)?$/i;
/** The same of what a list is of; a token to wait for changes with is of no page. */
const nextOfThing = /^next_?(?!sync)[a-z]+_?(?:cursor|token|marker|offset|id|key)$/i;
const vagueNames =
  /^(?:end_?cursor|cursor|(?:search_?)?after_?(?:cursor|id)?|marker|continue|(?:continu(?:ation|e)|pagination|page)_?token|bookmark|last_?(?:evaluated_?)?key)$/i;
const insideNext = /^(?:cursor|token|after|starting_?after|marker|offset|id|value|page_?token)$/i;
/** OData puts its own name in front (OData JSON Format 4.01, section 4.6), or had another one before. */
const addressNames = /^(?:(?:@?odata\.|@)?next_?(?:page_?)?(?:ur[il]|link|href)|__next)$/i;
/** What holds addresses alone: JSON:API (section 5.6), HAL, Hydra. */
const linkHolders = /^(?:_?links?|view)$/i;
const moreNames = /^(?:has_?more|more|has_?next(?:_?page)?|is_?truncated)$/i;
const totalNames =
  /^(?:total|total_?(?:count|results|items|records|hits|size|elements|entries)|items_?total|(?:quantidade_?)?total_?(?:de_?)?(?:elementi|elementos|itens|items|registros|resultados))$/i;

/** What holds the total of a list. */
const totalHolders =
  /pag(?:e|ing|ina[ctz])|meta|info|summary|list|result|response|search|query|header|count|total|hits|cursor|links?$/i;

const pagesNames =
  /^(?:pages|(?:total|num|number_?of)_?pages|pages?_?(?:count|total)|(?:num(?:ero)?|quantidade|total)_?(?:d[ei]_?)?pagin[ae]s?)$/i;

/**
 * Where an answer names what the request for the next page takes as `parameter`; a parameter that is a
 * number takes no text, as a marker is beside it in answers that page in two ways.
 */
export function nextValuePath(
  document: ApiDocument,
  schema: Node,
  parameter: string,
  isNumber = false,
): string | undefined {
  const wanted = plain(parameter);
  return best(document, schema, (leaf) => {
    const { names } = leaf;
    const name = lastOf(names);
    const holder = names.at(-2) ?? '';
    if (!isScalar(leaf.schema) || isAddress(leaf) || isType(leaf.schema, 'boolean')) return 0;
    if (isNumber && (isType(leaf.schema, 'string') || isTextOf(leaf))) return 0;
    // What is read after an item starts after the last one of this page.
    const isLast = plain(name) === wanted.replace(/^start(?:ing)?after(?=.)/, 'last');
    if (isNextOf(name, parameter)) return 4;
    const isSame = isLast || plain(name) === wanted;
    if (/^next/i.test(holder) && (isSame || insideNext.test(name))) return 4;
    if (nextNames.test(name)) return /^next$/i.test(name) ? 2 : 4;
    if (isSame) return 3;
    if (nextOfThing.test(name)) return 2;
    return vagueNames.test(name) ? 1 : 0;
  });
}

/** What is called a cursor and is no number goes into none. */
function isTextOf({ names, schema }: Leaf): boolean {
  const isCounted = isType(schema, 'integer') || isType(schema, 'number');
  return !isCounted && /cursor|token|marker/i.test(lastOf(names));
}

/** What is said to be the next one of what a parameter takes: `next_doc` of `last_doc`, `nextPageAnchor` of `anchor`. */
function isNextOf(name: string, parameter: string): boolean {
  const wanted = plain(parameter);
  const stem = wanted.replace(/^(?:last|start|from)(?=...)/, '');
  if (/after(?:id)?$/.test(wanted) && plain(name) === `more${wanted.replace(/id$/, '')}`)
    return true;
  return places.test(stem) && [`next${stem}`, `nextpage${stem}`].includes(plain(name));
}

/** How the name of a place in a list ends; dates and times come next in other ways, too. */
const places =
  /(?:anchor|cursor|doc|document|entry|id|item|key|mark|marker|number|position|record|result|results|row|sequence|state|token)$/;

/** Whether an answer says of what a parameter takes what the next one is. */
export function isToldNext(document: ApiDocument, schema: Node, parameter: string): boolean {
  return leavesOf(document, schema).some(
    (leaf) => isScalar(leaf.schema) && isNextOf(lastOf(leaf.names), parameter),
  );
}

/** The name of what an answer says that the next page begins with. */
export function namedNext(document: ApiDocument, schema: Node): string | undefined {
  const found = leavesOf(document, schema).find((leaf) => {
    const name = lastOf(leaf.names);
    const isNext = /^next./i.test(name) && (nextNames.test(name) || nextOfThing.test(name));
    if (/^cursor$/i.test(name) && leaf.names.length === 1) return isType(leaf.schema, 'string');
    if (/^next$/i.test(name) && isPointer(leaf)) return true;
    return isNext && isScalar(leaf.schema) && !isType(leaf.schema, 'boolean');
  });
  return found?.names.at(-1);
}

/** Where an answer says how many pages the whole list has. */
export function pagesPath(document: ApiDocument, schema: Node): string | undefined {
  return best(document, schema, ({ names, schema: leaf }) =>
    pagesNames.test(lastOf(names)) && isType(leaf, 'integer') ? 1 : 0,
  );
}

/** Where an answer gives the address of its next page. */
export function nextAddressPath(document: ApiDocument, schema: Node): string | undefined {
  return best(document, schema, (leaf) => {
    const { names } = leaf;
    const isInNext =
      /^next$/i.test(names.at(-2) ?? '') && /^(?:href|url|uri)$/i.test(lastOf(names));
    return isScalar(leaf.schema) && (isAddress(leaf) || isInNext) ? 1 : 0;
  });
}

/**
 * Where an answer names the next page, by its number or by the address that holds it: one that is not
 * full may still not be the last, for vendors give fewer items than they are asked for.
 */
export function nextPagePath(document: ApiDocument, schema: Node): string | undefined {
  return best(document, schema, ({ names, schema: leaf }) => {
    const isText = isType(leaf, 'string') || isType(leaf, 'integer') || isType(leaf, 'number');
    return isText && isScalar(leaf) && nextPageNames.test(lastOf(names)) ? 1 : 0;
  });
}

const nextPageNames = /^next(?:_?page)?(?:_?(?:number|num|no|index))?$/i;

/** Where an answer says whether there is more. */
export function hasMorePath(document: ApiDocument, schema: Node): string | undefined {
  return best(document, schema, ({ names, schema: leaf }) =>
    moreNames.test(lastOf(names)) && !isType(leaf, 'array') && !isObject(leaf['properties'])
      ? 1
      : 0,
  );
}

/** Whether an answer says that its list goes on, where, or how long it is: of use to whoever goes on alone. */
export function tellsOfMore(document: ApiDocument, schema: Node): boolean {
  return leavesOf(document, schema).some(({ names, schema: leaf }) => {
    const name = lastOf(names);
    const tells = [moreNames, pagesNames, tellingNames, totalNames].some((each) => each.test(name));
    return tells && isScalar(leaf);
  });
}

const tellingNames =
  /^(?:__)?next(?:[A-Z_]|$)|^(?:end_?)?cursor$|^truncated$|^is_?[Ll]ast(?:_?[Pp]age)?$/;

/**
 * Where an answer says how many items the whole list has; a total in an object that is neither about
 * pages nor holds the list is that of something else, as `_shards.total` is.
 */
export function totalPath(document: ApiDocument, schema: Node, list = ''): string | undefined {
  return best(document, schema, ({ names, schema: leaf }) => {
    const [holder = ''] = names;
    const isAbout = totalHolders.test(holder) || list.startsWith(`$${step(holder)}`);
    const isTotal = totalNames.test(lastOf(names)) && (names.length === 1 || isAbout);
    return isTotal && (isType(leaf, 'integer') || isType(leaf, 'number')) ? 1 : 0;
  });
}

/**
 * Where the answer of a list calls what comes next `next` and says no more of it: an address, where no
 * parameter takes anything else.
 */
export function bareNextPath(
  document: ApiDocument,
  schema: Node,
  mayPoint = true,
): string | undefined {
  return best(document, schema, (leaf) => {
    if (!/^next$/i.test(lastOf(leaf.names)) || !isScalar(leaf.schema)) return 0;
    return isType(leaf.schema, 'string') && (mayPoint || !isPointer(leaf)) ? 1 : 0;
  });
}

/** Whether what comes next is said to be a cursor, or shown as one: no address, whatever it is called. */
function isPointer({ schema }: Leaf): boolean {
  const { format, description, example, examples } = schema;
  if (!isType(schema, 'string') || String(format).startsWith('uri')) return false;
  const shown = [example, examples]
    .flat()
    .filter((each) => typeof each === 'string' && each !== '');
  if (shown.length > 0) return shown.every((each) => !/^(?:https?:|[/?])/.test(String(each)));
  const said = String(description ?? '');
  return /\b(?:cursor|pointer|token)\b/i.test(said) && !/\b(?:ur[il]|link|address)\b/i.test(said);
}

/**
 * The parameters that an answer names together in one object of what comes next, as the parts of a key:
 * one cursor is not all of them.
 */
export function keyParts(
  document: ApiDocument,
  schema: Node,
  parameters: readonly string[],
): readonly string[] {
  for (const { names, schema: holder } of leavesOf(document, schema)) {
    if (!/^(?:next|last|after)/i.test(lastOf(names))) continue;
    const members = membersOf(document, holder).map(([name]) => name);
    const parts = parameters.filter((name) => members.includes(name));
    if (parts.length > 1) return parts;
  }
  return [];
}

/** Where an answer has the links of its pages in an object of which no member is described. */
export function openLinksPath(document: ApiDocument, schema: Node): string | undefined {
  const found = membersOf(document, schema).find(([name, member]) => {
    return /^_?links$/i.test(name) && isType(member, 'object') && !isObject(member['properties']);
  });
  return found && `$${step(found[0])}.next`;
}

/**
 * Where an answer lists its links, each with the relation that it stands for: `{rel, href}`, `{rel, uri}`,
 * or `{relation, url}` as FHIR has it (Bundle.link).
 */
export function linkListPath(document: ApiDocument, schema: Node): string | undefined {
  return best(document, schema, ({ names, schema: leaf }) => {
    if (!/^_?links?$/i.test(lastOf(names)) || !isType(leaf, 'array')) return 0;
    const members = membersOf(document, mergedSchema(document, leaf['items']));
    const has = (wanted: RegExp) => members.some(([name]) => wanted.test(name));
    return has(/^rel(?:ation)?$/) && has(/^(?:href|ur[il])$/) ? 1 : 0;
  });
}

/** The name of a member: some vendors write `next-page`, and JSON-LD has a prefix in front. */
function lastOf(names: readonly string[]): string {
  return unprefixed(names.at(-1) ?? '').replaceAll('-', '_');
}

function unprefixed(name: string): string {
  return name.replace(/^[a-z]+:(?=.)/i, '');
}

/** The member with the highest score above 0; of equals the one nearest to the root. */
function best(
  document: ApiDocument,
  schema: Node,
  score: (leaf: Leaf) => number,
): string | undefined {
  let found: { names: readonly string[]; points: number } | undefined;
  for (const leaf of leavesOf(document, schema)) {
    const points = score(leaf);
    if (points > (found?.points ?? 0)) found = { names: leaf.names, points };
  }
  return found && `$${found.names.map(step).join('')}`;
}

/** Every member down to some levels, not inside of lists, the nearest to the root first. */
const leavesOf = oncePerSchema((document, schema): readonly Leaf[] => {
  const found: Leaf[] = [];
  let level: Leaf[] = [{ names: [], schema }];
  for (let depth = 0; depth < levels; depth++) {
    level = level.flatMap(({ names, schema: holder }) =>
      membersOf(document, holder).map(([name, member]) => ({
        names: [...names, name],
        schema: member,
      })),
    );
    found.push(...level);
  }
  return found;
});

function isScalar(schema: Node): boolean {
  return !isType(schema, 'array') && !isType(schema, 'object') && !isObject(schema['properties']);
}

/** An address by its name, or a next page that is described as one. */
function isAddress({ names, schema }: Leaf): boolean {
  const name = lastOf(names);
  if (addressNames.test(name)) return true;
  if (/^next$/i.test(name) && linkHolders.test(unprefixed(names.at(-2) ?? ''))) return true;
  if (!/^next(?:_?page)?$/i.test(name) || isType(schema, 'integer')) return false;
  const { format, description, example, examples } = schema;
  if (format === 'uri' || format === 'uri-reference' || format === 'url') return true;
  const shown = [example, examples].flat().map((each) => String(each ?? ''));
  return /\b(?:URL|URI|url|[Ll]ink|hyperlink)\b|https?:/.test(
    [description ?? '', ...shown].join(' '),
  );
}

/** Without what vendors write differently on both sides: `listOptions.continue` is `continue`. */
function plain(name: string): string {
  const last = /[^.[\]]+(?=\]?$)/.exec(name)?.[0] ?? name;
  return last.toLowerCase().replace(/[_-]/g, '');
}
