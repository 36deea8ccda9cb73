import type { JsonSchema } from '#contract/json';
import type { ToolSchemas } from '../../schema/tool-schema.ts';
import { type BodyRules, joined } from './body-rules.ts';
import type { ToolArgument } from './tool-argument.ts';

/** The schema of a tool's arguments and how many schemas it holds. */
export interface InputSchema {
  readonly schema: JsonSchema;
  readonly size: number;
  /** What its definitions hold that reads like an instruction to the model. */
  readonly instructions: readonly string[];
}

/** Put the arguments of a tool into one object schema, with what holds for them together. */
export function inputSchema(
  given: readonly ToolArgument[],
  notes: readonly string[],
  schemas: ToolSchemas,
  together?: BodyRules,
): InputSchema {
  const references = [
    ...given.flatMap(({ converted }) => [...converted.references]),
    ...(together?.references ?? []),
  ];
  const { definitions, size, instructions = [] } = schemas.closure(references);
  const required = given.filter((argument) => argument.required).map(({ name }) => name);
  const properties = given.map(({ name, converted }) => [name, converted.schema]);
  return {
    schema: {
      type: 'object',
      ...(notes.length > 0 && { description: notes.join(' ') }),
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      ...ruleKeywords(together?.rules ?? []),
      ...(definitions.length > 0 && { $defs: Object.fromEntries(definitions) }),
    },
    size: given.reduce(
      (sum, { converted }) => sum + converted.size,
      size + 1 + (together?.size ?? 0),
    ),
    instructions,
  };
}

/** The rules as keywords beside those of the object: what it says itself has to stay. */
function ruleKeywords(rules: readonly JsonSchema[]): JsonSchema {
  const own = ['properties', 'required'];
  const isBeside = (rule: JsonSchema) => own.every((keyword) => rule[keyword] === undefined);
  const wrapped = rules.map((rule) => (isBeside(rule) ? rule : { allOf: [rule] }));
  return joined(wrapped);
}
