import { isObject } from '#contract/json';
import { listOf } from '../../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import { oncePerSchema } from '../../examples/once-per-schema.ts';
import type { SuccessContent } from '../../examples/success-content.ts';

type Node = Readonly<Record<string, unknown>>;

/** The list in an answer. */
export interface AnswerList {
  /** A JSONPath (RFC 9535). */
  readonly path: string;
  /** The schema of an item. */
  readonly item: Node;
  /** Whether the rest of the answer says nothing but where in the list this page stands. */
  readonly isWhole: boolean;
}

/** What envelopes of lists say of themselves; beside a list that is none, it may be the answer. */
const envelopeNames =
  /^(?:object|kind|href|self|url|path|ok|success|status|request_?id|took|@?type|@id|@context)$/i;

/** What answers say of the page beside its items: of no use to whoever has `next_cursor`. */
const pagingNames = new RegExp(
  `^(?:${[
    '_?links?',
    '(?:next|prev|previous|first|last|start|end|current|before|after|continuation)(?:_?\\w*)?',
    'is_?(?:last|first)(?:_?page)?|(?:search_?)?after|cursors?|marker|bookmark|pagination_?key|continue|iterator|done|has_?\\w+|more|is_?truncated|truncated',
    'total(?:_?(?:count|number|num|found|available|matches|items|results?|records|elements|pages?|hits|size|rows|entries|objects|docs|documents))?|count\\w*|num_?\\w+|\\w+_?(?:count|total)|result_?count',
    'pages?|page_?\\w+|paging|per_?page|limit|offset|skip|size|max_?results|pagination|pages_?\\w+',
    '_?meta|metadata|response_?metadata|list_?metadata|page_?details|results_?info',
  ].join('|')})$`,
  'i',
);

const ofNoItem = [envelopeNames, pagingNames];

/** Names of the list that the others only accompany. */
export const usualNames =
  /^(?:data|items|results?|values|records|entries|list|objects|content|elements|resources)$/i;

/**
 * The list of an answer: the whole of it, the only list among its members, or that of its only
 * object, as in `{data: {results: []}}`.
 */
export function answerList(
  document: ApiDocument,
  content: SuccessContent | undefined,
): AnswerList | undefined {
  const list = content && listIn(document, content.schema, 1);
  return list && { ...list, isWhole: list.isWhole && (list.path === '$' || !content.isShown) };
}

function listIn(document: ApiDocument, schema: Node, levels: number): AnswerList | undefined {
  if (isType(schema, 'array')) {
    return { path: '$', item: mergedSchema(document, schema['items']), isWhole: true };
  }
  const members = membersOf(document, schema);
  if (members.length === 0) return listOfForms(document, schema, levels);
  const typed = members.filter(([, member]) => isType(member, 'array'));
  const found = typed.length > 0 ? typed : members.filter((each) => isUntyped(each, members));
  const own = found.filter(
    ([name, { items }]) =>
      !failures.test(name) && !(linkLists.test(name) && isLink(mergedSchema(document, items))),
  );
  // With an object beside them, as in `{payload: {orders: []}, errors: []}`, they are about that.
  const isBeside = own.length === 0 && holdersOf(members).length > 0;
  if (isBeside) return heldList(document, members, levels);
  const lists = own.length > 0 ? own : found;
  const [only, another] = likely(lists);
  const isOther = only !== undefined && levels > 0 && !usualNames.test(only[0]);
  const twice = isOther ? twiceNamed(document, members) : undefined;
  if (twice) return twice;
  if (only && !another) {
    const [name, list] = only;
    const others = members.filter((member) => member !== only);
    const isPaged = others.some((each) => isNamed(document, each, [pagingNames]));
    // Any other figure that begins so says something of its own.
    const total = new RegExp(`^total_?${RegExp.escape(name)}$`, 'i');
    const around = [...(usualNames.test(name) || isPaged ? ofNoItem : [pagingNames]), total];
    const isWhole =
      found.length === 1 &&
      isClosed(schema) &&
      others.every((each) => isNamed(document, each, around));
    if (!isWhole && failures.test(name)) return undefined;
    return { path: `$${step(name)}`, item: mergedSchema(document, list['items']), isWhole };
  }
  return undefined;
}

/** The list that stands at one place in each of several forms of an answer. */
function listOfForms(document: ApiDocument, schema: Node, levels: number): AnswerList | undefined {
  const forms = listOf(schema['oneOf'] ?? schema['anyOf']).slice(0, mostForms);
  const lists = forms.map((form) => listIn(document, mergedSchema(document, form), levels));
  const [first] = lists;
  if (first === undefined || first.path === '$') return undefined;
  if (lists.some((each) => each?.path !== first.path)) return undefined;
  const properties = Object.assign({}, ...lists.map((each) => each?.item['properties']));
  return { path: first.path, item: { ...first.item, properties }, isWhole: false };
}

/** So many forms of one answer are looked at. */
const mostForms = 16;

/** What an answer lists of where else to go. */
const linkLists = /^_?links?$/i;

/** Whether an item leads elsewhere (RFC 8288); links that somebody shares are things like any other. */
function isLink({ properties }: Node): boolean {
  return !isObject(properties) || 'href' in properties || 'rel' in properties;
}

/** The objects that may hold what is asked for: those that are about the page do not. */
function holdersOf(members: readonly (readonly [string, Node])[]) {
  return members.filter(([name, member]) => {
    const isAbout = pagingNames.test(name) || envelopeNames.test(name);
    return isObject(member['properties']) && (!isAbout || isAlone(member, name, members));
  });
}

/** The list in the only object among some members. */
function heldList(
  document: ApiDocument,
  members: readonly (readonly [string, Node])[],
  levels: number,
): AnswerList | undefined {
  const [holder, beside] = holdersOf(members);
  if (levels === 0 || !holder) return undefined;
  if (beside) return twiceNamed(document, members);
  const inner = listIn(document, holder[1], levels - 1);
  if (!inner || inner.path === '$') return undefined;
  const others = members.filter((member) => member !== holder);
  return {
    ...inner,
    path: `$${step(holder[0])}${inner.path.slice(1)}`,
    isWhole: inner.isWhole && others.every((each) => isNamed(document, each, ofNoItem)),
  };
}

/** What a page says of itself beside its items: where it stands, and how much there is in all. */
const ofPage = /^(?:page|current(?:_?page)?|page_?(?:index|no|num(?:ber)?|size)|per_?page)$/i;
const inAll = /^total(?:_?(?:count|number|size))?$/i;

/** A list that has no type, as frameworks print what may hold anything: `{list, total, page, pageSize}`. */
function isUntyped(
  [name, schema]: readonly [string, Node],
  members: readonly (readonly [string, Node])[],
): boolean {
  if (!usualNames.test(name) || Object.keys(schema).some((key) => !remarks.has(key))) return false;
  return [ofPage, inAll].every((names) =>
    members.some(([other, beside]) => names.test(other) && isType(beside, 'integer')),
  );
}

/** What a schema says without saying what its values are. */
const remarks: ReadonlySet<string> = new Set(['description', 'title', 'example', 'examples']);

/** The list that is named as what holds it, as `{hits: {hits: []}}` has it: whatever stands beside is about it. */
function twiceNamed(
  document: ApiDocument,
  members: readonly (readonly [string, Node])[],
): AnswerList | undefined {
  for (const [name, holder] of members) {
    if (failures.test(name) && members.length > 1) continue;
    const found = membersOf(document, holder).find(([inner]) => inner === name);
    if (!found || !isType(found[1], 'array')) continue;
    const item = mergedSchema(document, found[1]['items']);
    return { path: `$${step(name)}${step(name)}`, item, isWhole: false };
  }
  return undefined;
}

/** What did not come out well, beside what did. */
const failures = /^(?:errors?|failed(?:_?\w+)?|failures|faults|notices|warnings?)$/i;

/** The lists that can be meant: the only one, those of usual names, those that are no links of the page and no failures. */
function likely(lists: readonly (readonly [string, Node])[]): readonly (readonly [string, Node])[] {
  if (lists.length === 1) return lists;
  const usual = lists.filter(([name]) => usualNames.test(name)).slice(0, 1);
  if (usual.length > 0) return usual;
  const besides = [pagingNames, envelopeNames, failures];
  return lists.filter(([name]) => !besides.some((names) => names.test(name)));
}

/** Whether all that is described of an answer says where in a list a page stands: the list is not described. */
export function isOfPageAlone(document: ApiDocument, schema: Node): boolean {
  return membersOf(document, schema).every((member) => isNamed(document, member, ofNoItem));
}

/** A member of one of these names; an object when all of its own members say where a page stands. */
function isNamed(
  document: ApiDocument,
  [name, schema]: readonly [string, Node],
  names: readonly RegExp[],
  levels = 2,
): boolean {
  const plain = name.replace(/^hydra:/, '').replaceAll('-', '_');
  const members = membersOf(document, schema);
  // How to search and where the other pages are, in the words of Hydra (Hydra Core Vocabulary, collections).
  if (/^(?:view|search)$/.test(plain) && members.some(([each]) => each === '@type')) return true;
  if (!names.some((each) => each.test(plain)) || isType(schema, 'array')) return false;
  if (isType(schema, 'object') && members.length === 0) return /^_?links?$/i.test(name);
  if (members.length === 0) return true;
  return levels > 0 && members.every((member) => isNamed(document, member, ofNoItem, levels - 1));
}

/** Alternatives may hold more than is seen here. */
function isClosed(schema: Node): boolean {
  return !('oneOf' in schema || 'anyOf' in schema);
}

/** The members of an object, each behind its references. */
export const membersOf = oncePerSchema(
  (document, { properties }): readonly (readonly [name: string, schema: Node])[] => {
    if (!isObject(properties)) return [];
    return Object.keys(properties).map((name) => {
      const member = mergedSchema(document, properties[name]);
      return [name, present(document, member, name === '_embedded')];
    });
  },
);

/** Of `anyOf: [string, null]` the string; of what HAL embeds (section 4.1.2) what is said of it. */
function present(document: ApiDocument, schema: Node, isEmbedded: boolean): Node {
  const { anyOf, oneOf, ...others } = schema;
  for (const choices of [anyOf, oneOf]) {
    if (!Array.isArray(choices)) continue;
    const real = choices
      .map((choice) => mergedSchema(document, choice))
      .filter((choice) => !isType(choice, 'null'))
      .filter((choice) => !isEmbedded || isObject(choice['properties']));
    if (real.length === 1) return { ...others, ...real[0] };
  }
  return schema;
}

/** One step of a JSONPath. */
export function step(name: string): string {
  return /^[A-Za-z_][\w-]*$/.test(name) ? `.${name}` : `['${name.replace(/['\\]/g, '\\$&')}']`;
}

/** Whether an object called "meta" has nothing but values beside it: it is all of the answer. */
function isAlone(
  object: Node,
  name: string,
  members: readonly (readonly [string, Node])[],
): boolean {
  const isValue = (schema: Node) =>
    ['string', 'number', 'integer', 'boolean'].some((type) => isType(schema, type));
  return name === 'meta' && members.every(([, each]) => each === object || isValue(each));
}

/** Whether a schema names a type, alone or beside others such as null. */
export function isType({ type }: Node, wanted: string): boolean {
  return Array.isArray(type) ? type.includes(wanted) : type === wanted;
}
