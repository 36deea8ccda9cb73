import type { ClientFacts } from '#contract/client';
import type { ToolForms } from '#contract/house/tool-forms';
import type { JsonSchema } from '#contract/json';
import type { ToolDefinition } from '#contract/tool';
import type { Input } from '../../admission/steps/pipeline.ts';
import { profileOf } from './profile-of.ts';
import { schemaForm, writtenForm } from './schema-form.ts';

/** The arguments of tools as clients write them, for tools that lead to other tools. */
export const clientForms: ToolForms = {
  /** The schema of the arguments as this client is shown it. */
  schemaFor(definition: ToolDefinition, client: ClientFacts): JsonSchema {
    return schemaForm(definition, profileOf(client)).input;
  },

  /** Run with the exact form of what this client has written; errors come in terms of what it wrote. */
  async readFor<Result>(
    { definition, args }: { readonly definition: ToolDefinition; readonly args: Input },
    client: ClientFacts,
    run: (args: Input) => Promise<Result>,
  ): Promise<Result> {
    const written = writtenForm(definition, profileOf(client));
    if (!written) return run(args);
    try {
      return await run(written.read(args));
    } catch (error) {
      throw written.rephrase(error);
    }
  },
};
