import type { ClientFacts } from '../client.ts';
import type { JsonSchema } from '../json.ts';
import type { ToolDefinition } from '../tool.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments of tools as a client writes them. */
export interface ToolForms {
  /** The schema that it is shown. */
  schemaFor(definition: ToolDefinition, client: ClientFacts): JsonSchema;
  /** Run a tool with the exact form of what it has written. */
  readFor<Result>(
    written: { readonly definition: ToolDefinition; readonly args: Arguments },
    client: ClientFacts,
    run: (args: Arguments) => Promise<Result>,
  ): Promise<Result>;
}
