import { isObject } from '#contract/json';
import { type ApiOperation, parametersOf } from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { bodySchema } from '../examples/body-schema.ts';
import { mergedSchema } from '../examples/merged-schema.ts';
import { guessVersion } from '../guess/guess-version.ts';
import { answerList } from '../guess/pages/answer-list.ts';
import { guessPagination } from '../guess/pages/guess-pagination.ts';
import type { OperationNature } from './operation-nature.ts';
import { subjectOf } from './operation-role.ts';

/** What tells an operation from others where nobody has described it: names of the vendor. */
export interface OperationDetails {
  /** Parameters of its query and members of its body, the required ones first. */
  readonly takes: readonly string[];
  /** Members of its answer, or of each item of it. */
  readonly gives: readonly string[];
  /** Whether it answers with a list of things. */
  readonly isList?: boolean;
  /** Whether its answer is what it has made: there is a 201, or an id that comes out of it. */
  readonly isMade?: boolean;
  /** Whether it changes nothing, whatever its method is. */
  readonly reads?: boolean;
}

const mostNames = 4;

/** Names that say something, in letters that are no sentence. */
const name = /^[A-Za-z][\w.-]{0,39}$/;

/** All lists have these, or all requests: places in a list, and credentials. */
const usual =
  /^(?:after|before|count|cursor|limit|next|offset|page|pageable|pagination|paging|per|size|start)(?:$|[_-])|(?:key|limit|page|secret|size|token)$/i;

/** Find the few names that say most about an operation. */
export function detailsOf(document: ApiDocument, nature: OperationNature): OperationDetails {
  const { operation, content, reads } = nature;
  const own = ownNames(document, nature);
  const inQuery = parametersOf(document, operation)
    .filter(({ in: place, name }) => place === 'query' && !usual.test(name) && !own.has(name))
    .toSorted((a, b) => Number(b.required) - Number(a.required));
  const sent = bodyMembers(document, operation);
  const isRead = operation.method === 'GET';
  const isOne = /\}\/?$/.test(operation.path) || isAskedById(document, operation);
  const isList = isRead && !isOne && isListed(document, nature);
  const given = givenMembers(document, content, isList);
  const { responses } = operation.node;
  const isMade = (isObject(responses) && Object.hasOwn(responses, '201')) || given.some(isId);
  return {
    isList,
    reads,
    isMade: operation.method === 'POST' && !reads && !isOne && isMade,
    takes: few([...inQuery.map((parameter) => parameter.name), ...sent]),
    gives: few(given),
  };
}

/** Parameters that callers never see: the version of the API, and what `cursor` and `limit` stand for. */
function ownNames(document: ApiDocument, nature: OperationNature): ReadonlySet<string> {
  const { request = {} } = guessPagination(document, nature) ?? {};
  const version = Object.keys(guessVersion(document, nature.operation));
  return new Set([...version, ...Object.values(request)]);
}

/** Whether an answer is a list, of which there may be another page. */
export function isListed(document: ApiDocument, nature: OperationNature): boolean {
  const list = answerList(document, nature.content);
  return list !== undefined || guessPagination(document, nature) !== undefined;
}

/** Whether the query names one of what stands at the path: `GET /chapter?chapterId=7`. */
export function isAskedById(document: ApiDocument, operation: ApiOperation): boolean {
  const noun = subjectOf(operation).noun.replaceAll(' ', '');
  return parametersOf(document, operation).some(({ in: place, name: own }) => {
    const plain = own.toLowerCase().replace(/[^a-z]/g, '');
    return place === 'query' && (plain === 'id' || plain === `${noun}id`);
  });
}

/** The members of what an operation sends, the required ones first. */
export function bodyMembers(document: ApiDocument, operation: ApiOperation): readonly string[] {
  return membersOf(document, bodySchema(document, operation));
}

/** The members of what is answered, without what is wrapped around it and around its attributes. */
function givenMembers(
  document: ApiDocument,
  content: OperationNature['content'],
  isList: boolean,
): readonly string[] {
  const found = answerList(document, content);
  const list = isList || found?.path === '$' ? found : undefined;
  const whole = list?.item ?? mergedSchema(document, content?.schema);
  const inner = list === undefined ? memberOf(document, whole, 'data') : whole;
  const thing = inner ?? whole;
  const attributes = memberOf(document, thing, 'attributes');
  const [own, more] = [thing, attributes].map((schema) => membersOf(document, schema));
  return [...(own ?? []).filter((each) => !more?.length || each !== 'attributes'), ...(more ?? [])];
}

/** A member that has members itself. */
function memberOf(
  document: ApiDocument,
  { properties }: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> | undefined {
  const member = isObject(properties) ? properties[key] : undefined;
  if (!isObject(member)) return undefined;
  const schema = mergedSchema(document, member);
  return isObject(schema['properties']) ? schema : undefined;
}

function isId(member: string): boolean {
  return /^_?(?:id|uuid|guid|pk)$/i.test(member);
}

function few(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((each) => name.test(each)).slice(0, mostNames);
}

/** The members of an object, or of each item of a list, the required ones first. */
function membersOf(document: ApiDocument, schema: unknown, isItem = false): readonly string[] {
  const { items, properties, required } = mergedSchema(document, schema);
  if (!isObject(properties)) return isItem ? [] : membersOf(document, items, true);
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const isNeeded = (each: string) => Number(needed.includes(each));
  return Object.keys(properties).toSorted((a, b) => isNeeded(b) - isNeeded(a));
}
