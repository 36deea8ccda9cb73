import { bindTools } from '#contract/surface/surface';
import type { SurfaceModule } from '#contract/surface/surface-module';
import { shortList } from '#contract/text/short-list';
import type { CodeConfig } from '../../../generated/surfaces/code/config.ts';
import { codeTools } from '../../../generated/surfaces/code/tools.ts';
import { createCodeHandlers } from './handlers.ts';
import type { ScriptTools } from './script-host.ts';

/** Two tools that lead to all others: find functions, and run a script that calls them. */
export const surface: SurfaceModule<CodeConfig, 'tools' | 'openSandbox' | 'log'> = {
  async create({ tools, openSandbox, log }, { threads, cpuMs, memory, calls }) {
    const sandbox = await openSandbox({ threads, limits: { cpuMs, memoryBytes: memory, calls } });
    const report: ScriptTools['report'] = (err, tool) =>
      log.error({ err, tool }, 'a tool that a script called has failed');
    const scriptTools = {
      definition: tools.definition.bind(tools),
      suggest: tools.suggest.bind(tools),
      search: tools.search.bind(tools),
      callApart: tools.callApart.bind(tools),
      report,
    };
    return {
      tools: bindTools(codeTools, createCodeHandlers({ sandbox, tools: scriptTools })),
      leads: {
        instructions: (sources) =>
          `The tools are not listed one by one: find them with api_search and call them from a script with api_run; what a script cannot call, tool_call can. There are tools of ${shortList(sources)}.`,
      },
      stop: () => sandbox.close(),
    };
  },
};
