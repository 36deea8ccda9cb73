import { isObject } from '#contract/json';
import { objectShape, RecursiveShapeError } from '../../../model/schema/object-shape.ts';
import { operationInputs } from '../../../model/vendor/inputs/operation-inputs.ts';
import type { ToolInput } from '../../../model/vendor/inputs/tool-input.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import type { OperationNature } from '../../operations/operation-nature.ts';
import { isType } from './answer-list.ts';
import { cursorNames, offsetNames, pageIds, pageNames } from './paging-names.ts';
import { isToldMoment } from './told-moment.ts';

/** Headers that an answer gives and the request for the next page takes, such as `x-continuation`. */
export const headerCursors =
  /^(?:[a-z]+[-_])*(?:continuation(?:[-_]?token)?|(?:next[-_]?)?(?:page[-_]?)?(?:cursor|marker)|(?:next[-_]?)?page[-_]?token|next[-_]?token|paging[-_]?token)$/i;

/** Members of a body that hold where a page begins and how long it is. */
const holders = /^(?:options|page|pagination|paging|pager|page_?(?:info|options|params|request))$/i;

/** In such an object, a token is that of the page. */
export const tokenName = /^token$/i;

const known = new WeakMap<OperationNature, Map<string, readonly ToolInput[]>>();

/** All that a request of an operation can carry, the members of `wrap` for that member of its body. */
export function inputsOf(
  document: ApiDocument,
  nature: OperationNature,
  wrap?: string,
): readonly ToolInput[] {
  const earlier = known.get(nature) ?? new Map<string, readonly ToolInput[]>();
  known.set(nature, earlier);
  const inputs = earlier.get(wrap ?? '') ?? readInputs(document, nature, wrap);
  earlier.set(wrap ?? '', inputs);
  return inputs;
}

function readInputs(
  document: ApiDocument,
  { operation }: OperationNature,
  wrap: string | undefined,
): readonly ToolInput[] {
  try {
    return operationInputs(document, operation, wrap === undefined ? {} : { wrap }).inputs;
  } catch (error) {
    // It has no finite list of arguments, which is reported where the tool is planned.
    if (error instanceof RecursiveShapeError) return [];
    throw error;
  }
}

/** The member of a body whose members say where a page begins. */
export function pageHolder(document: ApiDocument, nature: OperationNature): string | undefined {
  return inputsOf(document, nature).find(({ from, path, wire, schema, pointer = '' }) => {
    if (from !== 'body' || path.length !== 1 || !holders.test(wire) || !isObject(schema))
      return false;
    const shape = objectShape(document, { node: schema, pointer });
    const members = [...(shape?.properties.keys() ?? [])];
    return members.some((name) => saysPosition(name) || tokenName.test(name));
  })?.wire;
}

/** Whether a name is one of those that say where a page begins. */
export function saysPosition(name: string): boolean {
  return [cursorNames, pageNames, offsetNames].some((names) => names.test(name));
}

/** Whether an input is a parameter of the address, a member of the body or one of what holds the page. */
export function isOpen({ from, path }: ToolInput, wrap?: string): boolean {
  const isMember = path.length === 1 || (path.length === 2 && path[0] === wrap);
  return from === 'query' || (from === 'body' && isMember);
}

/** The parameters and members of the body that a caller may leave out. */
export function optionalInputs(
  document: ApiDocument,
  nature: OperationNature,
  wrap?: string,
): readonly ToolInput[] {
  return inputsOf(document, nature, wrap).filter((input) => !input.required && isOpen(input, wrap));
}

/** The parameters in the address, and the members of the body or of what holds the page in it, that a caller has to give. */
export function demandedInputs(
  document: ApiDocument,
  nature: OperationNature,
  wrap?: string,
): readonly ToolInput[] {
  return inputsOf(document, nature, wrap).filter(
    (input) => input.required && isOpen(input, wrap) && (input.from === 'query' || nature.reads),
  );
}

/** Parameters that say where a page begins: of no use to callers where answers name the next one. */
export function positionNames(document: ApiDocument, nature: OperationNature): string[] {
  return optionalInputs(document, nature)
    .filter((input) => input.from === 'query' && isPlain(document, input))
    .filter(({ wire }) => saysPosition(wire) && !pageIds.test(wire))
    .filter((input) => !cursorNames.test(input.wire) || mayContinue(document, input))
    .map(({ wire }) => wire);
}

/** Whether numbers are among the values that a parameter lists, if it lists any. */
export function mayCount(document: ApiDocument, { schema }: ToolInput): boolean {
  const values: unknown = mergedSchema(document, schema)['enum'];
  return !Array.isArray(values) || values.some((value) => /^\d+$/.test(String(value)));
}

/** A member of a filter, as in `createdAt[after]` or `completed_on.after`. */
const filtering =
  /^(?!page|pagination|paging|cursor|list|options?\b)\w+(?:\[\w+\]|\.(?:after|since))$/i;

/** Cursors by these names may as well be times. */
const timely = /^(?:after|since)$/i;

/** A position in a list, and no bound of what is in it, such as the time since when. */
export function mayContinue(document: ApiDocument, input: ToolInput): boolean {
  const { wire, schema } = input;
  const isTime = timely.test(wire) && isType(mergedSchema(document, schema), 'number');
  return !filtering.test(wire) && !isTime && !isToldMoment(document, input);
}

/** One value; what is created after a day is a filter. */
export function isPlain(document: ApiDocument, input: ToolInput): boolean {
  const node = mergedSchema(document, input.schema);
  const isDay = node['format'] === 'date-time' || node['format'] === 'date';
  const isSingle = !isObject(node['properties']);
  if (!isSingle || isDay || isToldMoment(document, input)) return false;
  return !['object', 'array', 'boolean'].some((type) => isType(node, type));
}

/** A number, or a text that is not said to be anything else. */
export function isCounted(document: ApiDocument, { schema, wire }: ToolInput): boolean {
  const { type, enum: choices, default: first } = mergedSchema(document, schema);
  if (choices !== undefined) return false;
  const isText = type === 'string';
  return (
    type === 'integer' ||
    type === 'number' ||
    type === undefined ||
    Array.isArray(type) ||
    (isText && (/page|offset|skip|index/i.test(wire) || /^\d+$/.test(String(first))))
  );
}

/** A number, also one that may be null. */
export function isNumeric(document: ApiDocument, schema: unknown): boolean {
  const node = mergedSchema(document, schema);
  const choices: unknown = node['anyOf'] ?? node['oneOf'];
  const ways = (Array.isArray(choices) ? choices : [node])
    .map((each) => mergedSchema(document, each))
    .filter(({ type }) => type !== 'null');
  return ways.length > 0 && ways.every((way) => isType(way, 'integer') || isType(way, 'number'));
}

/** Whether a parameter says that it takes things out: those on a page of a book, say. */
export function isFilter({ description = '' }: ToolInput): boolean {
  return /^\W*(?:filter|restrict)(?:s|ed)?\b/i.test(description);
}

/** Whether an operation takes the number of a page or of an item besides. */
export function countsAnything(document: ApiDocument, nature: OperationNature): boolean {
  return optionalInputs(document, nature).some(
    (input) =>
      [pageNames, offsetNames].some((names) => names.test(input.wire)) &&
      isCounted(document, input),
  );
}
