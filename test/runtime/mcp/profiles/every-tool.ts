import type { ToolDefinition } from '#contract/tool';
import { createService } from '../../../../runtime/main.ts';

/** The definitions of all tools: of all providers, of the surfaces, and of the search over them. */
export async function everyTool(): Promise<readonly ToolDefinition[]> {
  const env = {
    SERVICE_PROVIDER: 'all-providers',
    SERVICE_CONTACT: 'a@example.com',
    SERVICE_TOOL_MODE: 'search',
  };
  const { catalogue } = await createService(env);
  const tools = await catalogue.loadAll();
  return tools.map(({ definition }) => definition);
}
