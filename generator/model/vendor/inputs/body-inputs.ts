import { isObject } from '#contract/json';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { listOf, resolve } from '../../schema/api-operations.ts';
import { type ObjectShape, objectShape, type ShapeProperty } from '../../schema/object-shape.ts';
import { valueKinds } from '../../schema/value-kinds.ts';
import type { CuratedBody } from '../../shape/curation.ts';
import type { ChosenBody } from './body-form.ts';
import { restOfBody } from './rest-of-body.ts';
import { isBytes, type ToolInput, type ToolInputs } from './tool-input.ts';

/** Split a body into arguments: one for each member of an object, else one for the whole body. */
export function bodyInputs(
  document: ApiDocument,
  body: ChosenBody,
  { wrap, flatten }: CuratedBody,
): Pick<ToolInputs, 'inputs' | 'notes' | 'whole'> {
  const { form, schema, encodingOf } = body;
  const isWhole = form.kind === 'raw' || flatten === false || namesFreely(document, body, flatten);
  const shape =
    isWhole || (flatten !== true && mayBeNoObject(document, body))
      ? undefined
      : objectShape(document, schema);
  if (shape === undefined) return { inputs: [wholeBody(document, body, wrap)], notes: [] };
  const required = form.required ? shape.required : new Set<string>();
  const properties = new Map(shape.properties);
  for (const name of undescribed(document, body, shape)) {
    properties.set(name, { schema: {}, pointer: schema.pointer });
  }
  const members = wrap === undefined ? undefined : shape.properties.get(wrap);
  const outer = wrap !== undefined && members === undefined ? [wrap] : [];
  const opened = (name: string) => (name === wrap ? '' : `${name}_`);
  const inputs = [...properties].flatMap(([name, property]) => {
    const given = memberInput([...outer, name], property, {
      required: required.has(name),
      style: partStyle(document, property.schema, encodingOf(name)),
    });
    const input = form.kind === 'multipart' ? markupPart(document, given) : given;
    const open = flatten === true || name === wrap;
    return open ? openedInputs(document, input, opened(name)) : [input];
  });
  const neededIfSent = form.required ? undefined : shape.required;
  // Members that are taken apart further are arguments of another shape than the body has.
  const isOpened = flatten === true || members !== undefined;
  const whole = { schema, ...(neededIfSent && { neededIfSent }) };
  if (isOpened) return { inputs, notes: shape.notes };
  const rest = outer.length > 0 ? [] : restOfBody(document, body);
  return { inputs: [...inputs, ...rest], notes: shape.notes, whole };
}

/** A part of bytes has the media type of its schema, unless its encoding names one. */
function partStyle(document: ApiDocument, schema: unknown, encoding: ToolInput['style']) {
  if (!isObject(schema) || encoding['contentType'] !== undefined) return encoding;
  const { node } = resolve(document, { node: schema, pointer: '' });
  const items = isObject(node['items']) ? node['items'] : {};
  const { node: item } = resolve(document, { node: items, pointer: '' });
  const bytes = [node, item].find(isBytes);
  const type = bytes?.['contentMediaType'];
  // What 3.0 calls `format: binary` is of any type: the caller says which.
  if (type === undefined || type === 'application/octet-stream') return encoding;
  return { ...encoding, contentType: type };
}

/** A part of XML is sent as the caller writes it, as a whole body of XML is. */
function markupPart(document: ApiDocument, input: ToolInput): ToolInput {
  const { schema, style } = input;
  const kinds = valueKinds(document, schema);
  if (!isXml(style['contentType']) || !(kinds.object || kinds.items?.object)) return input;
  const { node } = resolve(document, { node: isObject(schema) ? schema : {}, pointer: '' });
  const told = typeof node['description'] === 'string' ? node['description'] : '';
  const description = [told, 'As the text of an XML document.'].filter(Boolean).join('\n\n');
  const text = { type: 'string' };
  return { ...input, description, schema: kinds.object ? text : { type: 'array', items: text } };
}

function isXml(contentType: unknown): boolean {
  return typeof contentType === 'string' && /[/+]xml\b/i.test(contentType);
}

/**
 * Whether the caller of a JSON body chooses the names of members, by a pattern or as those of a map
 * whose values are described (2020-12 core, 10.3.2.2 and 10.3.2.3): arguments have names that are known.
 */
function namesFreely(
  document: ApiDocument,
  { form, schema }: ChosenBody,
  flatten: boolean | undefined,
): boolean {
  if (form.kind !== 'json' || flatten === true) return false;
  return isNamedFreely(document, schema.node, new Set());
}

/** @param seen schemas that were looked at: where alternatives name their whole, they lead back to it */
function isNamedFreely(document: ApiDocument, schema: unknown, seen: Set<unknown>): boolean {
  if (!isObject(schema)) return false;
  const { node } = resolve(document, { node: schema, pointer: '' });
  if (seen.has(node)) return false;
  seen.add(node);
  const { patternProperties, additionalProperties: others } = node;
  const open = isObject(patternProperties) ? Object.values(patternProperties) : [];
  if (open.some((value) => value !== false)) return true;
  // What may be anything is often said of every object, and meant of none.
  if (isObject(others) && Object.keys(others).length > 0) return true;
  return ['allOf', 'anyOf', 'oneOf'].some((keyword) =>
    listOf(node[keyword]).some((member) => isNamedFreely(document, member, seen)),
  );
}

/** Members that a body, or one of its alternatives, has to have and of which nothing more is said. */
function undescribed(document: ApiDocument, { schema }: ChosenBody, shape: ObjectShape): string[] {
  const names = new Set(demandedIn(document, schema.node, new Set()));
  return [...names].filter((name) => !shape.properties.has(name));
}

function demandedIn(document: ApiDocument, schema: unknown, seen: Set<unknown>): readonly string[] {
  if (!isObject(schema)) return [];
  const { node } = resolve(document, { node: schema, pointer: '' });
  if (seen.has(node)) return [];
  seen.add(node);
  // None of them can be given where an object is closed.
  if (node['additionalProperties'] === false || node['unevaluatedProperties'] === false) return [];
  const own: readonly unknown[] = Array.isArray(node['required']) ? node['required'] : [];
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listOf(node[keyword]));
  return [
    ...own.filter((name) => typeof name === 'string'),
    ...parts.flatMap((part) => demandedIn(document, part, seen)),
  ];
}

/** Whether a JSON body may be a list or a scalar instead of an object, which members cannot say. */
function mayBeNoObject(document: ApiDocument, { form, schema }: ChosenBody): boolean {
  if (form.kind !== 'json') return false;
  const { scalars, items } = valueKinds(document, schema.node);
  return scalars.size > 0 || items !== undefined;
}

function wholeBody(document: ApiDocument, body: ChosenBody, wrap: string | undefined): ToolInput {
  const { node } = resolve(document, body.schema);
  const description = body.description ?? node['description'];
  // It is sent as the caller writes it, whatever values the description sees in it.
  const isMarkup = body.form.kind === 'raw' && isXml(body.form.contentType);
  return {
    ...memberInput(
      ['body'],
      { schema: isMarkup ? { type: 'string' } : body.schema.node, pointer: body.schema.pointer },
      { required: body.form.required, style: {} },
    ),
    path: wrap === undefined ? [] : [wrap],
    description: typeof description === 'string' ? description : undefined,
  };
}

function memberInput(
  path: readonly string[],
  { schema, pointer }: ShapeProperty,
  { required, style }: Pick<ToolInput, 'required' | 'style'>,
): ToolInput {
  const name = path.at(-1) ?? '';
  return { from: 'body', wire: name, path, name, schema, required, style, pointer };
}

/** The members of an object-valued input as inputs of their own; the input itself where it has none. */
export function openedInputs(document: ApiDocument, input: ToolInput, prefix: string): ToolInput[] {
  const { schema, pointer = '' } = input;
  const shape = isObject(schema) ? objectShape(document, { node: schema, pointer }) : undefined;
  if (shape === undefined) return [input];
  return [...shape.properties].map(([name, property]) => ({
    ...input,
    schema: property.schema,
    // A schema in the curation is no part of the description, unless it refers to it.
    ...((input.pointer !== undefined || property.pointer.startsWith('/components/')) && {
      pointer: property.pointer,
    }),
    wire: name,
    path: [...input.path, name],
    name: prefix + name,
    required: input.required && shape.required.has(name),
  }));
}
