import { isObject, type JsonSchema } from '#contract/json';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { longInteger, longItems } from '../../schema/long-integers.ts';
import { soleSchema } from '../../schema/sole-schema.ts';
import type { Converted, ToolSchemas } from '../../schema/tool-schema.ts';
import { valueKinds } from '../../schema/value-kinds.ts';
import type { CuratedOperation } from '../../shape/curation.ts';
import type { Value } from '../../shape/request-plan.ts';
import { isForeign } from '../../texts/latin-text.ts';
import { described } from '../../texts/schema-notes.ts';
import { isDateTime } from './body-members.ts';
import { curatedEntry, speaksOf } from './curated-names.ts';
import { publishedForm } from './published-form.ts';
import type { ToolArgument } from './tool-argument.ts';
import {
  type BodyForm,
  bodyFileSchema,
  isBytes,
  isFilePart,
  isOpaque,
  partFileSchema,
  type ToolInput,
} from './tool-input.ts';
import { call } from './value-encoding.ts';

/** Make the argument that fills an input. */
export function argumentOf(
  input: ToolInput,
  {
    curated,
    body,
    schemas,
  }: { curated: CuratedOperation; body: BodyForm | undefined; schemas: ToolSchemas },
): ToolArgument {
  const { params } = curated;
  const start = curatedEntry(params?.defaults, input);
  const example = curatedEntry(params?.examples, input);
  const isExtra = params?.required_extra?.some((name) => speaksOf(name, input)) ?? false;
  const file = input.from === 'body' ? fileOf(input, body, schemas.document) : undefined;
  const text = curatedEntry(params?.describe, input) ?? input.description;
  const { converted, notes } =
    file === undefined
      ? publishedForm(input, text, schemas)
      : { converted: convertedFile(file, input), notes: [] };
  const name = curatedEntry(params?.rename, input) ?? input.name;
  // Who knows the vendor's own documents finds it there again.
  const foreign =
    isForeign(input.wire) && name !== input.wire ? [`The vendor calls it "${input.wire}".`] : [];
  const told = [...notes, ...foreign];
  const description = described(converted.schema['description'] ?? text, told);
  const { description: _, ...keywords } = converted.schema;
  const schema = {
    ...keywords,
    ...(mustHoldAnItem(input, converted.schema, body, schemas.document) && { minItems: 1 }),
    ...(mustHoldAMember(input, converted.schema, schemas.document) && { minProperties: 1 }),
    ...(start !== undefined && { default: start }),
    ...(example !== undefined && { examples: [example] }),
  };
  return {
    name,
    converted: { ...converted, schema: withDescription(schema, description) },
    required: (input.required || isExtra) && start === undefined,
    ...(start !== undefined && { default: start }),
    input,
    ...(file !== undefined && { isFile: true }),
  };
}

/** The same for an argument that the generator made: the curation may describe it. */
export function describedArgument(
  argument: ToolArgument,
  { params }: CuratedOperation,
): ToolArgument {
  const text = params?.describe?.[argument.name];
  if (text === undefined) return argument;
  const { converted } = argument;
  const schema = withDescription(converted.schema, described(text, []));
  return { ...argument, converted: { ...converted, schema } };
}

/**
 * What the request sends for the argument: a bare date becomes a date-time, and the digits of a long
 * number are a number again where the body is JSON; elsewhere all numbers are text.
 */
export function argumentValue(
  { name }: ToolArgument,
  input: ToolInput,
  { body, document }: { readonly body: BodyForm | undefined; readonly document: ApiDocument },
): Value {
  const value: Value = { kind: 'argument', name };
  if (isDateTime(input, document)) return call('dateTime', value);
  const long = longInteger(document, input.schema) ?? longItems(document, input.schema);
  if (long === undefined) return value;
  const isJson = input.from === 'variable' || (input.from === 'body' && body?.kind === 'json');
  const after = long['format'] === 'uint64' ? ['uint64'] : [];
  return call(isJson ? 'digits' : 'digitsText', value, { after });
}

/** Whether a required list would not be sent at all without an item: it has no body of its own to be empty in. */
function mustHoldAnItem(
  { from, required, schema }: ToolInput,
  { type, minItems = 0 }: JsonSchema,
  body: BodyForm | undefined,
  document: ApiDocument,
): boolean {
  const isField = body?.kind === 'form' || body?.kind === 'multipart';
  const told = isObject(schema) ? soleSchema(document, schema) : {};
  const isSentByItems = from !== 'variable' && (from !== 'body' || isField);
  const isList = type === 'array' || told['type'] === 'array';
  return required && isSentByItems && isList && minItems === 0 && !told['minItems'];
}

/** Whether a part of a path, or the one field that a required object is, would be empty without a member. */
function mustHoldAMember(
  { from, schema, required, style }: ToolInput,
  { minProperties = 0 }: JsonSchema,
  document: ApiDocument,
): boolean {
  // Members of an exploded object are fields of their own, of which none may be needed.
  const isField = from === 'query' && required && style['explode'] === false && !style['content'];
  const isNeeded = from === 'path' || isField;
  return isNeeded && minProperties === 0 && valueKinds(document, schema).object;
}

function convertedFile(file: JsonSchema, { schema }: ToolInput): Converted {
  const description = isObject(schema) ? schema['description'] : undefined;
  return { schema: { ...file, description }, references: new Set(), size: 4 };
}

/** The schema of a file where the body carries bytes: the caller gives them in base64. */
function fileOf(
  { schema, style }: ToolInput,
  body: BodyForm | undefined,
  document: ApiDocument,
): JsonSchema | undefined {
  if (!isObject(schema) || (body?.kind !== 'multipart' && body?.kind !== 'raw')) return undefined;
  const node = soleSchema(document, schema);
  if (body.kind === 'raw' && (isBytes(node) || isOpaque(body.contentType, node)))
    return bodyFileSchema(body);
  const { contentType } = style;
  const file = partFileSchema(contentType);
  if (isFilePart(node, contentType)) return file;
  const items = node['items'];
  if (body.kind === 'raw' || !isObject(items)) return undefined;
  return isFilePart(soleSchema(document, items), contentType)
    ? { type: 'array', items: file, ...numberOfItems(node) }
    : undefined;
}

/** How many files there may be (JSON Schema 2020-12 validation, 6.4); those of no sense are left out. */
function numberOfItems(node: Readonly<Record<string, unknown>>): JsonSchema {
  const isCount = ([name, value]: [string, unknown]) =>
    /^(?:min|max)Items$/.test(name) && Number.isSafeInteger(value) && Number(value) >= 0;
  return Object.fromEntries(Object.entries(node).filter(isCount));
}

/** Put the description where a reader looks for it: after the type. */
function withDescription(schema: JsonSchema, description: string | undefined): JsonSchema {
  if (description === undefined) return schema;
  const { $ref, type, const: constant, enum: values, ...rest } = schema;
  return defined({ $ref, type, const: constant, enum: values, description, ...rest });
}

function defined(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
