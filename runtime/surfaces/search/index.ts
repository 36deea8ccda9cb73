import type { ToolForms } from '#contract/house/tool-forms';
import { bindTools } from '#contract/surface/surface';
import type { SurfaceModule } from '#contract/surface/surface-module';
import { shortList } from '#contract/text/short-list';
import { searchTools } from '../../../generated/surfaces/search/tools.ts';
import { createSearchHandlers } from './handlers.ts';

/** Three tools that lead to all others: search, describe, call; beside scripts the last one alone. */
export const surface: SurfaceModule<unknown, 'tools' | 'toolMode' | 'forms'> = {
  create({ tools, toolMode, forms }) {
    if (toolMode === 'code') {
      // Scripts are shown the exact arguments, so whoever reads of tools there writes those.
      const all = bindTools(searchTools, createSearchHandlers({ tools, forms: exactForms }));
      return { tools: all.filter(({ definition: { name } }) => name === 'tool_call'), leads: {} };
    }
    return {
      tools: bindTools(searchTools, createSearchHandlers({ tools, forms })),
      leads: {
        instructions: (sources) =>
          `The tools are not listed one by one: find them with tool_search, read their arguments with tool_describe, run them with tool_call. There are tools of ${shortList(sources)}.`,
      },
    };
  },
};

/** Arguments as they are checked, whoever writes them. */
const exactForms: ToolForms = {
  schemaFor: ({ input }) => input,
  readFor: ({ args }, _, run) => run(args),
};
