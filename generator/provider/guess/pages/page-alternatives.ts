import { isObject } from '#contract/json';
import { listOf, resolve } from '../../../model/schema/api-operations.ts';
import { objectShape } from '../../../model/schema/object-shape.ts';
import type { CuratedPagination } from '../../../model/shape/curation.ts';
import type { ToolInput } from '../../../model/vendor/inputs/tool-input.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { bodySchema } from '../../examples/body-schema.ts';
import type { OperationNature } from '../../operations/operation-nature.ts';
import { inputsOf } from './page-inputs.ts';
import { offsetNames, pageNames } from './paging-names.ts';

/** One of the forms that an object takes. */
interface Alternative {
  readonly members: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  readonly isClosed: boolean;
}

/** The forms of what holds a page, of which one has to fit (2020-12 core, 10.2.1.2 and 10.2.1.3). */
function alternativesOf(
  document: ApiDocument,
  nature: OperationNature,
  wrap: string,
  keywords: readonly ('oneOf' | 'anyOf')[],
): readonly Alternative[] {
  const holder = inputsOf(document, nature).find(
    ({ from, path, wire }) => from === 'body' && path.length === 1 && wire === wrap,
  );
  return isObject(holder?.schema) ? formsOf(document, holder.schema, keywords) : [];
}

function formsOf(
  document: ApiDocument,
  schema: Readonly<Record<string, unknown>>,
  keywords: readonly ('oneOf' | 'anyOf')[],
): readonly Alternative[] {
  const { node } = resolve(document, { node: schema, pointer: '' });
  const choices = keywords.flatMap((keyword) => listOf(node[keyword]));
  return choices.flatMap((choice) => {
    const place = resolve(document, { node: choice, pointer: '' });
    const shape = objectShape(document, place);
    const { additionalProperties: others, unevaluatedProperties: rest } = place.node;
    const isClosed = others === false || rest === false;
    return shape
      ? [{ members: new Set(shape.properties.keys()), required: shape.required, isClosed }]
      : [];
  });
}

/** Whether one of the forms of a body is told from the others by a member: who asks chooses it by that. */
export function makesForm(
  document: ApiDocument,
  { operation }: OperationNature,
  { from, wire }: ToolInput,
): boolean {
  if (from !== 'body') return false;
  const forms = formsOf(document, bodySchema(document, operation), ['oneOf', 'anyOf']);
  return forms.some(({ required }) => required.has(wire));
}

/** The forms that an object with these members has. */
function fitting(alternatives: readonly Alternative[], names: readonly string[]) {
  const given = new Set(names);
  return alternatives.filter(
    ({ members, required, isClosed }) =>
      required.isSubsetOf(given) && (!isClosed || given.isSubsetOf(members)),
  );
}

/** The form that every request of a pagination has, and no other; nothing where there is no such. */
function formOf(
  alternatives: readonly Alternative[],
  { request = {} }: CuratedPagination,
): Alternative | undefined {
  const { cursor, offset, page, limit } = request;
  const size = limit === undefined ? [] : [limit];
  // What counts says so in the first request, too.
  const counted = offset ?? page;
  const first = counted === undefined ? size : [counted, ...size];
  const later = cursor === undefined ? first : [cursor, ...size];
  const [one, ...others] = fitting(alternatives, later);
  const isFirst = first.length === 0 || fitting(alternatives, first).length === 1;
  return isFirst && others.length === 0 ? one : undefined;
}

/**
 * The pagination by which each request is of exactly one of the forms of what holds the page: where a
 * cursor leaves it open which one is meant, by counting.
 */
export function pagedByForm(
  document: ApiDocument,
  nature: OperationNature,
  {
    guess,
    wrap,
    ends,
  }: {
    readonly guess: CuratedPagination;
    readonly wrap: string;
    readonly ends: Pick<CuratedPagination, 'response'>;
  },
): CuratedPagination {
  const alternatives = alternativesOf(document, nature, wrap, ['oneOf']);
  if (alternatives.length < 2 || formOf(alternatives, guess)) return guess;
  const names = [...new Set(alternatives.flatMap(({ members }) => [...members]))];
  const size = guess.request?.limit === undefined ? {} : { limit: guess.request.limit };
  const offset = names.find((name) => offsetNames.test(name));
  const page = names.find((name) => pageNames.test(name));
  const counted: CuratedPagination[] = [
    ...(offset === undefined
      ? []
      : [{ style: 'offset', request: { offset, ...size }, ...ends } as const]),
    ...(page === undefined
      ? []
      : [{ style: 'page', request: { page, ...size }, ...ends } as const]),
  ];
  return counted.find((each) => formOf(alternatives, each)) ?? guess;
}

/** Members of the other forms of what holds the page: beside those of the one that is sent they fit none. */
export function otherMembers(
  document: ApiDocument,
  nature: OperationNature,
  guess: CuratedPagination,
  wrap: string,
): readonly string[] {
  const alternatives = alternativesOf(document, nature, wrap, ['oneOf', 'anyOf']);
  const sent = Object.values(guess.request ?? {}).map(String);
  const form =
    formOf(alternatives, guess) ??
    alternatives.find(({ members }) => sent.every((name) => members.has(name)));
  if (alternatives.length < 2 || !form) return [];
  const others = alternatives.flatMap(({ members }) => [...members]);
  const beside = inputsOf(document, nature).map(({ wire }) => wire);
  return [...new Set(others)].filter((name) => !form.members.has(name) && !beside.includes(name));
}
