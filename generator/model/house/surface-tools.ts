import type { JsonSchema } from '#contract/json';
import type { Access } from '#contract/operation';
import type { ToolAnnotations } from '#contract/tool';
import { planDemands, type RawDemands } from '../operation/operation-demands.ts';
import type { NamedTypes } from '../schema/named-types.ts';
import { closeSchema } from '../schema/schema-closure.ts';
import { camelCase, pascalCase } from '../texts/names.ts';
import type { SurfaceTool } from './surface-model.ts';

/** A `tools.yaml` that its JSON Schema accepts. */
export interface ToolsFile {
  readonly tools: readonly RawTool[];
}

interface RawTool extends RawDemands {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: {
    readonly readOnly: boolean;
    readonly destructive?: boolean;
    readonly idempotent?: boolean;
    readonly openWorld: boolean;
  };
  readonly access: Access;
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
}

/** Read the MCP tools of a surface out of its `tools.yaml`. */
export function planTools(
  { tools }: ToolsFile,
  types: NamedTypes,
  components: ReadonlyMap<string, JsonSchema>,
): SurfaceTool[] {
  return tools.map((raw, index) => {
    const type = pascalCase(raw.name);
    return {
      name: raw.name,
      handler: camelCase(raw.name),
      title: raw.title,
      description: raw.description,
      annotations: annotationsOf(raw.annotations),
      ...planDemands(raw, raw.access),
      input: closeSchema(raw.input, components),
      ...(raw.output && { output: closeSchema(openRoot(raw.output), components) }),
      argumentsType: types.define(`${type}Arguments`, {
        description: `Arguments of \`${raw.name}\`.`,
        ...raw.input,
      }),
      ...(raw.output && {
        resultType: types.define(`${type}Result`, {
          description: `Result of \`${raw.name}\`.`,
          ...raw.output,
        }),
      }),
      pointer: `/tools/${index}`,
    };
  });
}

/**
 * Clients of the v1 SDK hold failures to the output schema too, so what clients see neither
 * requires a field nor forbids one.
 */
function openRoot({ required: _, additionalProperties: __, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function annotationsOf(raw: RawTool['annotations']): ToolAnnotations {
  return {
    readOnlyHint: raw.readOnly,
    ...(raw.destructive !== undefined && { destructiveHint: raw.destructive }),
    ...(raw.idempotent !== undefined && { idempotentHint: raw.idempotent }),
    openWorldHint: raw.openWorld,
  };
}
