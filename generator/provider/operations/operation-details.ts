import { isObject } from '#contract/json';
import { parametersOf, resolve } from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from '../examples/merged-schema.ts';
import { answerList } from '../guess/answer-list.ts';
import type { OperationNature } from './operation-nature.ts';

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
}

const mostNames = 4;

/** Names that say something, in letters that are no sentence. */
const name = /^[A-Za-z][\w.-]{0,39}$/;

/** All lists have these, or all requests: places in a list, and credentials. */
const usual =
  /^(?:after|before|count|cursor|limit|next|offset|page|per|size|start)(?:$|[_-])|(?:key|limit|page|secret|size|token)$/i;

/** Find the few names that say most about an operation. */
export function detailsOf(
  document: ApiDocument,
  { operation, content }: OperationNature,
): OperationDetails {
  const inQuery = parametersOf(document, operation)
    .filter((parameter) => parameter.in === 'query' && !usual.test(parameter.name))
    .toSorted((a, b) => Number(b.required) - Number(a.required));
  const body = operation.node['requestBody'];
  const place = { node: isObject(body) ? body : {}, pointer: operation.pointer };
  const { content: bodies } = resolve(document, place).node;
  const [media] = isObject(bodies) ? Object.values(bodies) : [];
  const sent = isObject(media) ? membersOf(document, media['schema']) : [];
  const given = membersOf(document, content?.schema);
  const isRead = operation.method === 'GET';
  const isItem = /\}\/?$/.test(operation.path);
  const { responses } = operation.node;
  const isMade = (isObject(responses) && Object.hasOwn(responses, '201')) || given.some(isId);
  return {
    isList: isRead && !isItem && answerList(document, content) !== undefined,
    isMade: operation.method === 'POST' && !isItem && isMade,
    takes: few([...inQuery.map((parameter) => parameter.name), ...sent]),
    gives: few(given),
  };
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
