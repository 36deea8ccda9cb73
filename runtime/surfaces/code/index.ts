import { bindTools } from '#contract/surface/surface';
import { codeTools } from '../../../generated/surfaces/code/tools.ts';
import { type ToolFront, toolsInMemory } from '../../offer/catalogue.ts';
import { shortList } from '../../search/short-list.ts';
import { type CodeDependencies, createCodeHandlers } from './handlers.ts';

/**
 * Two tools that lead to all others: find functions, and run a script that calls them. `more` are
 * tools for what a script cannot do.
 */
export function createCode(dependencies: CodeDependencies, more: ToolFront['tools']): ToolFront {
  const tools = bindTools(codeTools, createCodeHandlers(dependencies));
  const vendors = shortList(dependencies.search.sources.map(({ id }) => id));
  return {
    id: 'code',
    title: 'Scripts over all tools',
    tools: [...toolsInMemory(tools), ...more],
    instructions: `The tools are not listed one by one: find them with api_search and call them from a script with api_run; what a script cannot call, tool_call can. There are tools of ${vendors}.`,
  };
}
