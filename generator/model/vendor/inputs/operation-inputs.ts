import { isObject } from '#contract/json';
import { type PageMeaning, pageMeaning } from '#contract/text/page-names';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import {
  type ApiOperation,
  type ApiParameter,
  parametersOf,
  resolve,
} from '../../schema/api-operations.ts';
import { type ObjectShape, objectShape } from '../../schema/object-shape.ts';
import { soleSchema } from '../../schema/sole-schema.ts';
import { valueKinds } from '../../schema/value-kinds.ts';
import type { CuratedBody } from '../../shape/curation.ts';
import { chooseBody } from './body-form.ts';
import { bodyInputs } from './body-inputs.ts';
import {
  type BodyForm,
  isBytes,
  type ToolInput,
  type ToolInputs,
  withoutClashes,
} from './tool-input.ts';

/** Collect what a request of an operation can carry: parameters, then the members of its body. */
export function operationInputs(
  document: ApiDocument,
  operation: ApiOperation,
  curated: CuratedBody = {},
): ToolInputs {
  const given = parametersOf(document, operation).flatMap(parameterInput);
  const parameters = given.flatMap((input) => membersOfPage(document, input, given));
  const body = chooseBody(document, operation, curated);
  if (body === undefined) return { inputs: withoutClashes(parameters), notes: [] };
  const { inputs: found, notes, whole } = bodyInputs(document, body, curated);
  const inputs = found.map((input) => partOf(document, body.form, input));
  return {
    inputs: withoutClashes([...parameters, ...inputs]),
    body: formOf(document, body.form, inputs),
    notes,
    ...(whole && { whole }),
  };
}

/**
 * A multipart body that is described as nothing but bytes: each part of it has a name (RFC 7578,
 * section 4.2), so it is a file of the usual one; `body.wrap` of the curation gives it another. One of which nothing is said is its parts.
 */
function partOf(document: ApiDocument, { kind }: BodyForm, input: ToolInput): ToolInput {
  if (kind !== 'multipart' || input.path.length > 0) return input;
  if (isFiles(document, input)) {
    return { ...input, path: [usualPart], wire: usualPart, name: usualPart };
  }
  if (!isUndescribed(document, input)) return input;
  const told = input.description?.replace(/(?<![.\s])[.\s]*$/, '. ') ?? '';
  return { ...input, schema: { type: 'object' }, description: told + partsText };
}

const partsText = 'The parts by their names; a file is { base64, filename, type }';

function isUndescribed(document: ApiDocument, { schema }: ToolInput): boolean {
  const { scalars, items, object, ...kinds } = valueKinds(document, schema);
  return scalars.size === 0 && items === undefined && !object && !kinds.null;
}

const usualPart = 'file';

function isFiles(document: ApiDocument, { schema }: ToolInput): boolean {
  if (!isObject(schema)) return false;
  const node = soleSchema(document, schema);
  const { items } = node;
  return isBytes(node) || (isObject(items) && isBytes(soleSchema(document, items)));
}

/** A form without fields can only be sent as the text that the caller writes. */
function formOf(document: ApiDocument, form: BodyForm, inputs: readonly ToolInput[]): BodyForm {
  const whole = inputs.find(({ path }) => path.length === 0);
  const isForm = form.kind === 'form' || form.kind === 'multipart';
  if (!isForm || whole === undefined || valueKinds(document, whole.schema).object) return form;
  return { ...form, kind: 'raw' };
}

function parameterInput(parameter: ApiParameter): ToolInput[] {
  const { node, name, required, pointer } = parameter;
  // A cookie would travel beside the operator's own; the argument list offers none.
  if (parameter.in === 'cookie') return [];
  const description = typeof node['description'] === 'string' ? node['description'] : undefined;
  const from = parameter.in;
  const schema = schemaOf(node);
  return [
    { from, wire: name, path: [], name, schema, required, description, style: node, pointer },
  ];
}

/** Objects of these names say where a page begins and how long it is. */
const pageNames = /^(?:page|pagination|paging)$/i;

/**
 * The place in a list is described as one object by some: exploded by Spring, so that its members are
 * parameters of their own (OpenAPI 3.1, style form), or as `page[number]` (style deepObject). Member by
 * member, such a list can be paged like any other.
 */
function membersOfPage(
  document: ApiDocument,
  input: ToolInput,
  beside: readonly ToolInput[],
): readonly ToolInput[] {
  const { from, style, schema, required, wire } = input;
  if (from !== 'query' || isObject(style['content'])) return [input];
  const { node } = resolve(document, { node: isObject(schema) ? schema : {}, pointer: '' });
  const shape = membersOf(document, node);
  if (!shape) return [input];
  const isDeep = style['style'] === 'deepObject';
  const isExploded = (style['style'] ?? 'form') === 'form' && style['explode'] !== false;
  const says = (meaning: PageMeaning) =>
    [...shape.properties.keys()].some((name) => pageMeaning(name) === meaning);
  const isPage = (isDeep || isExploded) && says('size');
  const isPlaced = says('place') || (isDeep && pageNames.test(wire));
  const isTaken = beside.some((other) => !isDeep && shape.properties.has(other.wire));
  if (!isPage || !isPlaced || isTaken) return [input];
  return [...shape.properties].map(([name, { schema: member }]): ToolInput => {
    const { description } = isObject(member) ? member : {};
    return {
      ...input,
      ...(isDeep ? { wire: `${wire}[${name}]`, name: `${wire}_${name}` } : { wire: name, name }),
      ...{ schema: member, required: required && shape.required.has(name), style: {} },
      description: typeof description === 'string' ? description : undefined,
    };
  });
}

/** The members of an object that has no other form. */
function membersOf(
  document: ApiDocument,
  node: Readonly<Record<string, unknown>>,
): ObjectShape | undefined {
  if (node['oneOf'] !== undefined || node['anyOf'] !== undefined) return undefined;
  const shape = objectShape(document, { node, pointer: '' });
  return shape?.notes.length === 0 ? shape : undefined;
}

/** The schema of a parameter, which may stand under its only media type. */
function schemaOf(node: Record<string, unknown>): unknown {
  if (node['schema'] !== undefined) return node['schema'];
  const [media] = isObject(node['content']) ? Object.values(node['content']) : [];
  return isObject(media) ? (media['schema'] ?? {}) : {};
}
