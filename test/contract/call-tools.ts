import type { ListedTool, ToolsClient } from './connect-tools.ts';
import type { WholeDocument } from './mock/document/whole-document.ts';
import type { Mock } from './mock/prism.ts';
import { type Exchange, mockEnded, mockSilent, type Recorder } from './mock/recorder.ts';
import type { StartedMock } from './mock/start-mock.ts';
import { sampleCalls } from './sample/sample-arguments.ts';
import { type CallResult, type Judged, judge } from './verdict/judge.ts';
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
  /** A mock of these operations alone that answers without a body: it is silent at none. */
  readonly silentAtNone: () => Promise<Pick<StartedMock, 'mock' | 'document'>>;
}

/** A mock that has been silent at so many tools, its examples asked for, is asked no more. */
const mostSilences = 3;

/**
 * Call every tool with three argument objects, and judge each call.
 *
 * @param ours the arguments of a tool of which more is known than their schema says: a cursor is one
 *   that an earlier answer gave
 */
export async function callTools(
  tools: readonly ListedTool[],
  bench: Bench,
  ours: (tool: string) => readonly string[],
): Promise<Called> {
  const { client, mock, recorder, document } = bench;
  const schemas = new Schemas();
  const calls: Judged[] = [];
  const unsampled: string[] = [];
  // Prism takes minutes to make up an answer of some schemas.
  let takesExamples = false;
  let silences = 0;
  for (const { name, inputSchema, outputSchema } of tools) {
    const fits = outputSchema && schemas.compile(outputSchema);
    const accepts = schemas.compile(inputSchema);
    recorder.mock = silences < mostSilences ? mock : (await bench.silentAtNone()).mock;
    for (const { extent, args, problem } of sampleCalls(inputSchema, ours(name), accepts)) {
      if (!args) {
        unsampled.push(`${name} (${extent}): ${problem}`);
        continue;
      }
      recorder.take();
      recorder.dynamic = extent === 'edges' && !takesExamples;
      const result = await client.call(name, args);
      const exchanges = recorder.take();
      const isSilent = exchanges.some(({ problem }) => problem === mockSilent);
      const isEnded = exchanges.some(({ problem }) => problem === mockEnded);
      const call = { tool: name, extent, args };
      const first = judge(call, result, { document, fits, exchanges });
      const judged =
        first.outcome === 'set aside'
          ? await judgedAlone(call, { result, exchanges, bench })
          : first;
      const isAnswered = judged === first && recorder.mock === mock;
      calls.push(isAnswered ? judged : withoutAnswer(judged ?? first));
      if (isSilent && !recorder.dynamic) {
        silences++;
        recorder.mock = (await bench.silentAtNone()).mock;
      }
      takesExamples ||= isSilent;
      if (isSilent || isEnded) await mock.revive();
    }
  }
  recorder.mock = mock;
  recorder.dynamic = false;
  return { calls, unsampled };
}

/**
 * What the mock of these operations alone says of a call that the mock of the whole cannot judge: it has
 * neither answers to make up nor the paths of others; nothing where it cannot judge it either.
 */
async function judgedAlone(
  call: SampledTool,
  { result, exchanges, bench }: Passed,
): Promise<Judged | undefined> {
  const alone = await bench.silentAtNone().catch(() => undefined);
  if (!alone) return undefined;
  const { mock, document } = alone;
  try {
    const asked: Exchange[] = [];
    for (const sent of exchanges) asked.push(await bench.recorder.ask(mock, sent));
    const judged = judge(call, result, { document, exchanges: asked });
    return judged.outcome === 'set aside' ? undefined : judged;
  } catch {
    await mock.revive();
    return undefined;
  }
}

type SampledTool = Parameters<typeof judge>[0];

/** A call that was made, and what passed meanwhile. */
interface Passed {
  readonly result: CallResult;
  readonly exchanges: readonly Exchange[];
  readonly bench: Bench;
}

/** What a mock without answers says is no verdict on ours. */
export function withoutAnswer({ answer: _, ...call }: Judged): Judged {
  return call;
}
