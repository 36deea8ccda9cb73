import { isObject, type JsonSchema } from '#contract/json';
import { valueFault } from '../../model/schema/schema-check.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { requiredExample, schemaExample } from './schema-example.ts';

/** Where none of the first alternatives gives arguments that fit, the others hardly do. */
const mostChoices = 8;

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Arguments that the input schema of a tool takes: what the description shows where it fits, else
 * values made from the schema, with as few members as it takes.
 */
export function argumentsExample(
  input: JsonSchema,
  parameters: ReadonlyMap<string, unknown>,
  body: unknown,
): Arguments {
  // The definitions of a tool's schema stand in it, as those of a description do.
  const document = { root: input } as unknown as ApiDocument;
  const properties = isObject(input['properties']) ? input['properties'] : {};
  const isOwn = ([name]: readonly [string, unknown]) => Object.hasOwn(properties, name);
  const shown = Object.fromEntries([...parameters].filter(isOwn));
  const shownBody = isObject(body) ? Object.fromEntries(Object.entries(body).filter(isOwn)) : {};
  const choices = choicesOf(input).flatMap((preferred): Arguments[] => {
    const made = asObject(requiredExample(document, input, preferred));
    const full = asObject(schemaExample(document, input, preferred));
    return [
      { ...made, ...shownBody, ...shown },
      { ...made, ...shown },
      made,
      { ...full, ...shownBody, ...shown },
      full,
    ];
  });
  return choices.find((one) => valueFault(input, one) === undefined) ?? choices[1] ?? shown;
}

/** Positions of the alternatives that a schema has at its root; one where it has none. */
function choicesOf({ oneOf, anyOf }: JsonSchema): number[] {
  const count = Math.max(
    1,
    ...[oneOf, anyOf].map((list) => (Array.isArray(list) ? list.length : 0)),
  );
  return Array.from({ length: Math.min(count, mostChoices) }, (_, index) => index);
}

function asObject(value: unknown): Arguments {
  return isObject(value) ? value : {};
}
