import { isObject, type JsonSchema } from '#contract/json';
import { fieldValuePattern } from '#contract/text/field-value';
import { resolve } from '../../schema/api-operations.ts';
import { longInteger, longItems, withDigits } from '../../schema/long-integers.ts';
import type { Converted, ToolSchemas } from '../../schema/tool-schema.ts';
import { type ValueKinds, valueKinds } from '../../schema/value-kinds.ts';
import { isDateTime } from './body-members.ts';
import type { ToolInput } from './tool-input.ts';

/** A converted schema, and sentences for the end of its description. */
interface PublishedForm {
  readonly converted: Converted;
  readonly notes: readonly string[];
}

/**
 * The schema under which an input is published: the vendor's, with what this server wants of the
 * value besides, so that callers can see all that it refuses.
 */
export function publishedForm(
  input: ToolInput,
  text: string | undefined,
  schemas: ToolSchemas,
): PublishedForm {
  if (isDateTime(input, schemas.document)) return dateTimeForm(input, text, schemas);
  const long = longInteger(schemas.document, input.schema);
  if (long) {
    const { schema, ...converted } = schemas.convert(withText(long, text));
    return { converted: { ...converted, schema: withDigits(schema, long) }, notes: [] };
  }
  const isLongList = longItems(schemas.document, input.schema) !== undefined;
  // A list is written out, for what its items are is read from here too.
  const own = isLongList ? listOf(input, schemas) : input.schema;
  const converted = schemas.convert(withText(own, text));
  const kinds = valueKinds(schemas.document, input.schema);
  if (!hasFreeText(kinds)) return { converted, notes: [] };
  const apart = input.from === 'query' ? apartPattern(input) : undefined;
  if (apart !== undefined) {
    return { converted: { ...converted, schema: apartForm(converted.schema, apart) }, notes: [] };
  }
  if (input.from !== 'header') return { converted, notes: [] };
  const isNested = kinds.object || isObject(input.style['content']);
  if (isNested) return { converted, notes: ['In visible ASCII characters and blanks.'] };
  return { converted: { ...converted, schema: fieldForm(converted.schema) }, notes: [] };
}

/** A point in time, of which callers may give the date alone; what a reference leads to takes none. */
function dateTimeForm(
  { schema }: ToolInput,
  text: string | undefined,
  schemas: ToolSchemas,
): PublishedForm {
  const place = { node: isObject(schema) ? schema : {}, pointer: '' };
  const { node } = resolve(schemas.document, place);
  const converted = schemas.convert(withText(node, text));
  const { format: _, ...rest } = converted.schema;
  const anyOf = [{ format: 'date-time' }, { format: 'date' }];
  // In words too: some clients are shown no combinations.
  const notes = ['A date-time or a date.'];
  return { converted: { ...converted, schema: { ...rest, anyOf } }, notes };
}

function listOf({ schema }: ToolInput, { document }: ToolSchemas): Record<string, unknown> {
  return resolve(document, { node: isObject(schema) ? schema : {}, pointer: '' }).node;
}

/** A schema with the description of the place it is used in. */
function withText(schema: unknown, text: string | undefined): unknown {
  return text === undefined || !isObject(schema) ? schema : { ...schema, description: text };
}

/** Whether a text is taken that no list of values names; a schema without types takes any. */
function hasFreeText({ scalars, values, items, object }: ValueKinds): boolean {
  if (items && hasFreeText(items)) return true;
  const isOpen = scalars.size === 0 && items === undefined && !object;
  return values === undefined && (object || isOpen || scalars.has('string'));
}

/** What an item of a header cannot hold besides: the comma stands between them. */
const fieldItemPattern = '^[\\t -+\\--~]*$';

/** A schema whose texts a header can carry; formats are written in ASCII anyway. */
function fieldForm(schema: JsonSchema): JsonSchema {
  if (schema['format'] !== undefined) return schema;
  if (isObject(schema['items'])) return apartForm(schema, fieldItemPattern);
  return withPattern(schema, fieldValuePattern);
}

/** What the items of a list hold that are told apart by a character which is encoded like their own. */
function apartPattern({ style }: ToolInput): string | undefined {
  if (style['explode'] === true) return undefined;
  if (style['style'] === 'spaceDelimited') return '^[^ ]*$';
  return style['style'] === 'pipeDelimited' ? '^[^|]*$' : undefined;
}

/** A list whose items are texts of this pattern. */
function apartForm(schema: JsonSchema, pattern: string): JsonSchema {
  const { items } = schema;
  if (!isObject(items) || items['format'] !== undefined) return schema;
  return { ...schema, items: withPattern(items, pattern) };
}

function withPattern(schema: JsonSchema, added: string): JsonSchema {
  const { pattern, allOf } = schema;
  if (pattern === undefined) return { ...schema, pattern: added };
  const others: readonly unknown[] = Array.isArray(allOf) ? allOf : [];
  return { ...schema, allOf: [...others, { pattern: added }] };
}
