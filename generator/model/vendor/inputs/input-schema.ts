import type { JsonSchema } from '#contract/json';
import type { ToolSchemas } from '../../schema/tool-schema.ts';
import type { ToolArgument } from './tool-argument.ts';

/** The schema of a tool's arguments and how many schemas it holds. */
export interface InputSchema {
  readonly schema: JsonSchema;
  readonly size: number;
  /** What its definitions hold that reads like an instruction to the model. */
  readonly instructions: readonly string[];
}

/** Put the arguments of a tool into one flat object schema (DESIGN.md 5). */
export function inputSchema(
  given: readonly ToolArgument[],
  notes: readonly string[],
  schemas: ToolSchemas,
): InputSchema {
  const references = given.flatMap(({ converted }) => [...converted.references]);
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
      ...(definitions.length > 0 && { $defs: Object.fromEntries(definitions) }),
    },
    size: given.reduce((sum, { converted }) => sum + converted.size, size + 1),
    instructions,
  };
}
