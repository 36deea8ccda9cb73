import { comparableText, isObject, type JsonSchema } from '#contract/json';
import { oncePerObject } from '../schema/once/once-per-object.ts';

/**
 * The comparable text of a schema, as `comparableText` writes it. Its definitions are those of many
 * tools, and are written once.
 */
export function comparableSchema(schema: JsonSchema): string {
  const { $defs } = schema;
  if (!isObject($defs)) return comparableText(schema);
  const definitions = textOf($defs, (_, definition) =>
    isObject(definition) ? definitionText(definition) : textOfPart(definition),
  );
  return textOf(schema, (name, part) => (name === '$defs' ? definitions : textOfPart(part)));
}

const definitionText = oncePerObject((definition: JsonSchema) => comparableText(definition));

function textOf(
  object: Readonly<Record<string, unknown>>,
  textOfMember: (name: string, value: unknown) => string,
): string {
  const members = Object.keys(object)
    .sort()
    .map((name) => `[${JSON.stringify(name)},${textOfMember(name, object[name])}]`);
  return `{"members":[${members.join()}]}`;
}

/** In a list, which members are written as, nothing is `null`. */
function textOfPart(value: unknown): string {
  return comparableText([value]).slice(1, -1);
}
