import type { ToolMode } from '#contract/house/offered-tools';
import { type Shelved, ToolShelf } from '../../../runtime/house/tool-shelf.ts';
import { clientForms } from '../../../runtime/mcp/profiles/client-forms.ts';
import { type ToolFront, toolsInMemory } from '../../../runtime/offer/catalogue.ts';
import { surface } from '../../../runtime/surfaces/search/index.ts';

/** The search as a front of the tools of a test; beside scripts in the mode `code`. */
export async function frontOver(
  shelved: Shelved,
  toolMode: ToolMode = 'search',
): Promise<ToolFront> {
  const tools = new ToolShelf();
  tools.fill(shelved);
  const made = await surface.create({ tools, toolMode, forms: clientForms }, {});
  const instructions = made.leads?.instructions?.(tools.sources('t')) ?? '';
  return {
    id: 'search',
    title: 'Search',
    tools: toolsInMemory(made.tools ?? []),
    instructions: () => instructions,
  };
}
