import type { ListedTool, ToolsClient } from './connect-tools.ts';
import type { Mock } from './mock/prism.ts';
import { mockEnded, mockSilent, type Recorder } from './mock/recorder.ts';
import type { WholeDocument } from './mock/whole-document.ts';
import { sampleCalls } from './sample/sample-arguments.ts';
import { type Judged, judge } from './verdict/judge.ts';
import { Schemas } from './verdict/schemas.ts';

/** What became of the tools of a server. */
export interface Called {
  readonly calls: readonly Judged[];
  /** Tools for which no arguments could be made up. */
  readonly unsampled: readonly string[];
}

/** What tools are called through, and what stands behind them. */
export interface Bench {
  readonly client: ToolsClient;
  readonly mock: Mock;
  readonly recorder: Recorder;
  readonly document: WholeDocument;
}

/**
 * Call every tool with three argument objects, and judge each call.
 *
 * @param ours the arguments of a tool of which more is known than their schema says: a cursor is one
 *   that an earlier answer gave
 */
export async function callTools(
  tools: readonly ListedTool[],
  { client, mock, recorder, document }: Bench,
  ours: (tool: string) => readonly string[],
): Promise<Called> {
  const schemas = new Schemas();
  const calls: Judged[] = [];
  const unsampled: string[] = [];
  // Prism takes minutes to make up an answer of some schemas.
  let takesExamples = false;
  for (const { name, inputSchema, outputSchema } of tools) {
    const fits = outputSchema && schemas.compile(outputSchema);
    const accepts = schemas.compile(inputSchema);
    for (const { extent, args, problem } of sampleCalls(inputSchema, ours(name), accepts)) {
      if (!args) {
        unsampled.push(`${name} (${extent}): ${problem}`);
        continue;
      }
      recorder.take();
      recorder.dynamic = extent === 'edges' && !takesExamples;
      const result = await client.call(name, args);
      const exchanges = recorder.take();
      calls.push(judge({ tool: name, extent, args }, result, { exchanges, document, fits }));
      const isSilent = exchanges.some(({ problem }) => problem === mockSilent);
      takesExamples ||= isSilent;
      if (isSilent || exchanges.some(({ problem }) => problem === mockEnded)) await mock.revive();
    }
  }
  recorder.dynamic = false;
  return { calls, unsampled };
}
