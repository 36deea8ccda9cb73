import type { JsonSchema } from '#contract/json';
import { schemaCount, withOpenDefinitions } from '../../schema/open-definitions.ts';
import { bytesOf, withShorterTexts } from '../../schema/shorter-texts.ts';
import type { ToolSchemas } from '../../schema/tool-schema.ts';
import { type BodyRules, joined } from './body-rules.ts';
import type { ToolArgument } from './tool-argument.ts';

/** Clients read every tool before they use one: a larger schema is an error. */
export const mostSchemaBytes = 32_768;

/** The schema of a tool's arguments and how many schemas it holds. */
export interface InputSchema {
  readonly schema: JsonSchema;
  readonly size: number;
  /** What it takes as JSON. */
  readonly bytes: number;
  /** Bytes that it has with all of its texts, where they had to be cut. */
  readonly wholeBytes?: number;
  /** Definitions that had to be left open, where there are any. */
  readonly open?: number;
  /** What its definitions hold that reads like an instruction to the model. */
  readonly instructions: readonly string[];
  /** What nobody would see in values that its definitions leave out. */
  readonly unseen: readonly string[];
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
  const { definitions, size, instructions = [], unseen = [] } = schemas.closure(references);
  const required = given.filter((argument) => argument.required).map(({ name }) => name);
  const properties = given.map(({ name, converted }) => [name, converted.schema]);
  const whole: JsonSchema = {
    type: 'object',
    ...(notes.length > 0 && { description: notes.join(' ') }),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...ruleKeywords(together?.rules ?? []),
    ...(definitions.length > 0 && { $defs: Object.fromEntries(definitions) }),
  };
  const shorter = withShorterTexts(whole, mostSchemaBytes);
  const isTooLarge = shorter.bytes > mostSchemaBytes;
  const opened = isTooLarge ? withOpenDefinitions(whole, mostSchemaBytes) : undefined;
  const counted = given.reduce(
    (sum, { converted }) => sum + converted.size,
    size + 1 + (together?.size ?? 0),
  );
  return {
    ...shorter,
    ...(opened && { ...opened, bytes: bytesOf(opened.schema) }),
    size: opened ? schemaCount(opened.schema) : counted,
    instructions,
    unseen,
  };
}

/** The rules as keywords beside those of the object: what it says itself has to stay. */
function ruleKeywords(rules: readonly JsonSchema[]): JsonSchema {
  const own = ['properties', 'required'];
  const isBeside = (rule: JsonSchema) => own.every((keyword) => rule[keyword] === undefined);
  const wrapped = rules.map((rule) => (isBeside(rule) ? rule : { allOf: [rule] }));
  return joined(wrapped);
}
