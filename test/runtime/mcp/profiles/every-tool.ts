import type { ToolDefinition } from '#contract/tool';
import { createService } from '../../../../runtime/main.ts';

/** The definitions of all tools: of all providers, of the surfaces, and of what leads to them. */
export async function everyTool(): Promise<readonly ToolDefinition[]> {
  const tools = new Map<string, ToolDefinition>();
  for (const mode of ['search', 'code']) {
    const { offer } = await createService({
      SERVICE_PROVIDER: 'all-providers',
      SERVICE_CONTACT: 'a@example.com',
      SERVICE_TOOL_MODE: mode,
    });
    for (const { definition } of await offer.catalogue.loadAll())
      tools.set(definition.name, definition);
  }
  return [...tools.values()];
}
