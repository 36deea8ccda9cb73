import { bindTools } from '#contract/surface/surface';
import { searchTools } from '../../../generated/surfaces/search/tools.ts';
import { type ToolFront, toolsInMemory } from '../../offer/catalogue.ts';
import { shortList } from '../../search/short-list.ts';
import { createSearchHandlers, type SearchDependencies } from './handlers.ts';

/** Three tools that lead to all others: search, describe, call. */
export function createSearch(dependencies: SearchDependencies): ToolFront {
  const tools = bindTools(searchTools, createSearchHandlers(dependencies));
  const vendors = shortList(dependencies.search.sources.map(({ id }) => id));
  return {
    id: 'search',
    title: 'Search over all tools',
    tools: toolsInMemory(tools),
    instructions: `The tools are not listed one by one: find them with tool_search, read their arguments with tool_describe, run them with tool_call. There are tools of ${vendors}.`,
  };
}
