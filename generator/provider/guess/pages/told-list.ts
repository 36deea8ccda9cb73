import { isObject } from '#contract/json';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import type { OperationNature } from '../../operations/operation-nature.ts';
import {
  type AnswerList,
  answerList,
  isOfPageAlone,
  isType,
  membersOf,
  step,
  usualNames,
} from './answer-list.ts';

type Node = Readonly<Record<string, unknown>>;

/**
 * The list that an operation is about: of several the one that its path is named after. Where that is
 * another member of the answer, which holds lists itself, the only list beside it is not what was asked for.
 */
export function listOf(
  document: ApiDocument,
  { content, operation }: OperationNature,
): AnswerList | undefined {
  const list = answerList(document, content);
  if (!content || list?.path === '$') return list;
  const last = operation.path.split('/').findLast((part) => part !== '' && !part.startsWith('{'));
  const asked = plain(last ?? '');
  const members = membersOf(document, content.schema);
  if (!list) return listNamed(asked, members, document);
  const named = members.find(([name]) => asked !== '' && plain(name).endsWith(asked));
  const isOther = named && !plain(list.path).startsWith(plain(named[0]));
  return isOther && isObject(named[1]['properties']) && mayHoldList(document, named[1])
    ? undefined
    : list;
}

function listNamed(
  asked: string,
  members: readonly (readonly [string, Node])[],
  document: ApiDocument,
): AnswerList | undefined {
  const found = members.find(([name, member]) => plain(name) === asked && isType(member, 'array'));
  if (!found) return undefined;
  const [name, { items }] = found;
  return { path: `$${step(name)}`, item: mergedSchema(document, items), isWhole: false };
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Where the list stands in an answer: the whole of it, or its only list where nothing else is lost. */
export function guessItems(document: ApiDocument, nature: OperationNature): string | undefined {
  const list = listOf(document, nature);
  // Of one thing an example may show the list that all of them are.
  const isOfOne = isById(nature) && (list?.path !== '$' || nature.content?.isShown === true);
  if (!list?.isWhole || isOfOne) return undefined;
  return list.path;
}

/** Whether a path ends in what names one thing. */
export function isById({ operation }: OperationNature): boolean {
  return /\}\/?$/.test(operation.path);
}

/** Whether an answer is an object in which nothing is a list, and more than where a page stands. */
export function givesOneThing(document: ApiDocument, nature: OperationNature): boolean {
  const { content } = nature;
  if (!content || !isObject(content.schema['properties'])) return false;
  return !mayHoldList(document, content.schema) && !isOfPageAlone(document, content.schema);
}

/** Whether an answer is one thing that is asked for by its name: a list in it is a part of it. */
export function isNamedThing(document: ApiDocument, nature: OperationNature): boolean {
  const isObjects = isObject(nature.content?.schema['properties']);
  return isObjects && isById(nature) && listOf(document, nature)?.isWhole !== true;
}

/** What GeoJSON (RFC 7946, section 3.3), and FHIR in a Bundle, call the items of a list. */
const itemsOfForms = /^(?:features|entry)$/;

/**
 * Whether a list is what a path asks for, by its name: the root of an API, and one thing with lists in
 * it, have links that lead to no next page.
 */
export function isAsked({ path: list }: AnswerList, path: string): boolean {
  const name = /[\w-]+(?='?\]?$)/.exec(list)?.[0] ?? '';
  const last = path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
  return usualNames.test(name) || itemsOfForms.test(name) || plain(last) === plain(name);
}

/** Whether an answer is one thing with an id of its own, and a list that nobody asked for is a part of it. */
export function isThingWithList(document: ApiDocument, nature: OperationNature): boolean {
  const list = listOf(document, nature);
  if (!list || list.isWhole || isAsked(list, nature.operation.path)) return false;
  const members = membersOf(document, nature.content?.schema ?? {});
  return members.some(([name, member]) => /^_?(?:id|uuid|guid)$/i.test(name) && isScalar(member));
}

/** Levels of objects that are looked through: whatever stands deeper may be anything. */
const levels = 4;

function mayHoldList(document: ApiDocument, schema: Node, left = levels): boolean {
  if (isType(schema, 'array') || left === 0) return true;
  const members = membersOf(document, schema);
  if (members.length === 0) return !isScalar(schema);
  const { additionalProperties: others } = schema;
  const isOpen =
    isObject(others) && mayHoldList(document, mergedSchema(document, others), left - 1);
  return isOpen || members.some(([, member]) => mayHoldList(document, member, left - 1));
}

function isScalar(schema: Node): boolean {
  return ['string', 'number', 'integer', 'boolean', 'null'].some((type) => isType(schema, type));
}
