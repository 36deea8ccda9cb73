import { structuredResult } from '#contract/text/tool-result';
import type { Tool } from '#contract/tool';

const asks = /^observability_(?:query_|span_flamegraph|alerts|fields|investigate)/;

/**
 * Mark what those tools give back that ask for telemetry: lines of logs, names of spans and labels are
 * written by whoever reaches the services behind them, and may read as instructions.
 */
export function markTelemetry(tools: readonly Tool[]): readonly Tool[] {
  return tools.map((tool) => {
    if (!asks.test(tool.definition.name)) return tool;
    const { title = tool.definition.name } = tool.definition;
    return {
      ...tool,
      async call(args, context) {
        const { structuredContent } = await tool.call(args, context);
        const value = structuredContent as Readonly<Record<string, unknown>>;
        const about = { untrusted: true, title: `back ends of telemetry (${title})` };
        return structuredResult({ value, text: JSON.stringify(value) }, about);
      },
    };
  });
}
