import type { ListedTool, ToolsClient } from './connect-tools.ts';
import type { Mock } from './mock/prism.ts';
import {
  type Exchange,
  isUnanswered,
  mockEnded,
  mockSilent,
  type Recorder,
} from './mock/recorder.ts';
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
  /** A mock that judges the same requests and answers without a body: it is silent at none. */
  readonly silentAtNone: () => Promise<Mock>;
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
    recorder.mock = silences < mostSilences ? mock : await bench.silentAtNone();
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
      const isMute = isSilent || isEnded || exchanges.some(isUnanswered);
      const judged = judge({ tool: name, extent, args }, result, {
        ...{ document, fits },
        exchanges: isMute ? await askedAgain(exchanges, bench) : exchanges,
      });
      calls.push(isMute || recorder.mock !== mock ? withoutAnswer(judged) : judged);
      if (isSilent && !recorder.dynamic) {
        silences++;
        recorder.mock = await bench.silentAtNone();
      }
      takesExamples ||= isSilent;
      if (isSilent || isEnded) await mock.revive();
    }
  }
  recorder.mock = mock;
  recorder.dynamic = false;
  return { calls, unsampled };
}

/** What the mock that makes no answers up says of requests; what it does not judge either stays. */
async function askedAgain(exchanges: readonly Exchange[], { recorder, silentAtNone }: Bench) {
  const mock = await silentAtNone();
  const asked: Exchange[] = [];
  for (const sent of exchanges) {
    try {
      asked.push(await recorder.ask(mock, sent));
    } catch {
      asked.push(sent);
      await mock.revive();
    }
  }
  return asked;
}

/** What a mock without answers says is no verdict on ours. */
export function withoutAnswer({ answer: _, ...call }: Judged): Judged {
  return call;
}
