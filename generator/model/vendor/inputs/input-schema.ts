import type { JsonSchema } from '#contract/json';
import { listBounds, withFewerValues } from '../../schema/fewer-values.ts';
import { schemaCount, withOpenDefinitions } from '../../schema/open-definitions.ts';
import {
  bytesOf,
  type MeasuredSchema,
  mayFitBare,
  withShorterTexts,
} from '../../schema/shorter-texts.ts';
import type { ToolSchemas } from '../../schema/tool-schema.ts';
import { type BodyRules, joined } from './body-rules.ts';
import type { ToolArgument } from './tool-argument.ts';

/** Clients read every tool before they use one: a larger schema is an error. */
export const mostSchemaBytes = 32_768;

/** What is told of a schema of which a part is left out has its own room. */
const noteBytes = 320;

const asked =
  'tool_describe with path, or the resource docs://tools/NAME/arguments/PATH (percent-encoded), reads a part: /filter/0 in the arguments or #/$defs/Filter here.';

/** A schema of which something is left out, and who knows of that: nobody is to take it for the whole. */
export function toldCut(schema: JsonSchema, isHeld: boolean): JsonSchema {
  const end = isHeld
    ? `what is cut is checked all the same, and a refusal says what fits. ${asked}`
    : 'what is left out the vendor judges.';
  const { description } = schema;
  const note = `Too large to be shown whole: ${end}`;
  const { type, ...rest } = schema;
  const text = typeof description === 'string' ? `${description} ${note}` : note;
  return { type, ...rest, description: text };
}

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
  /** Lists of values that had to be left out, where there are any. */
  readonly lists?: number;
  /** The schema with these definitions and lists. */
  readonly whole?: JsonSchema;
  /** What its definitions hold that reads like an instruction to the model. */
  readonly instructions: readonly string[];
  /** What nobody would see in values that its definitions leave out. */
  readonly unseen: readonly string[];
}

type Fitting = Omit<InputSchema, 'size' | 'instructions' | 'unseen' | 'whole'>;

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
  const fitting = fittingSchema(whole);
  const counted = given.reduce(
    (sum, { converted }) => sum + converted.size,
    size + 1 + (together?.size ?? 0),
  );
  return {
    ...fitting,
    size: fitting.open === undefined ? counted : schemaCount(fitting.schema),
    ...(isCut(fitting) && { whole }),
    instructions,
    unseen,
  };
}

/** Whether a schema takes what the whole one refuses. */
function isCut({ open, lists }: Fitting): boolean {
  return open !== undefined || lists !== undefined;
}

/** The schema with as much as there is room for: texts go first, then long lists, then definitions. */
function fittingSchema(whole: JsonSchema): Fitting {
  const shorter = fitted(whole, mostSchemaBytes);
  if (shorter !== undefined) return shorter;
  const wholeBytes = bytesOf(whole);
  const most = mostSchemaBytes - noteBytes;
  let left: ReturnType<typeof withFewerValues>;
  for (const longest of listBounds) {
    left = withFewerValues(whole, longest);
    const fewer = left && fitted(left.schema, most);
    if (left && fewer) return { ...fewer, wholeBytes, lists: left.lists };
  }
  const opened = withOpenDefinitions(left?.schema ?? whole, most);
  if (opened === undefined) return withShorterTexts(whole, mostSchemaBytes);
  const bytes = bytesOf(opened.schema);
  return { ...opened, bytes, wholeBytes, ...(left && { lists: left.lists }) };
}

/** A schema with texts that have room beside all else; nothing where there is none even for that. */
function fitted(schema: JsonSchema, mostBytes: number): MeasuredSchema | undefined {
  if (!mayFitBare(schema, mostBytes)) return undefined;
  const shorter = withShorterTexts(schema, mostBytes);
  return shorter.bytes <= mostBytes ? shorter : undefined;
}

/** The rules as keywords beside those of the object: what it says itself has to stay. */
function ruleKeywords(rules: readonly JsonSchema[]): JsonSchema {
  const own = ['properties', 'required'];
  const isBeside = (rule: JsonSchema) => own.every((keyword) => rule[keyword] === undefined);
  const wrapped = rules.map((rule) => (isBeside(rule) ? rule : { allOf: [rule] }));
  return joined(wrapped);
}
