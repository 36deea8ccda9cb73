import { readProviderFolder } from '../../generator/kinds/provider-files/provider-folder.ts';
import type { Memory } from '../../generator/pipeline/memory.ts';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { checkPages } from '../../generator/provider/check-pages.ts';
import { connectTools } from './connect-tools.ts';
import { startPrism } from './mock/prism.ts';
import { mockEnded, mockSilent, startRecorder } from './mock/recorder.ts';
import { sampleCalls } from './sample/sample-arguments.ts';
import type { Description } from './setup/descriptions.ts';
import { type DraftedVendor, draftAll } from './setup/draft-all.ts';
import { startServer } from './setup/server.ts';
import type { Workplace } from './setup/workplace.ts';
import { type Judged, judge } from './verdict/judge.ts';
import { Schemas } from './verdict/schemas.ts';

/** What the harness found out about one description. */
export interface VendorRun {
  readonly name: string;
  /** Operations of the description, and tools that the server offers. */
  readonly operations: number;
  readonly tools: number;
  /** Why operations are not among the tools. */
  readonly off: readonly string[];
  /** Tools that page through a list, and those that only give the first page of one (P028). */
  readonly paged: number;
  readonly firstPageOnly: number;
  readonly calls: readonly Judged[];
  /** Tools for which no arguments could be made up. */
  readonly unsampled: readonly string[];
  /** What kept all of it from being called. */
  readonly failure?: string;
}

interface RunOptions {
  readonly memory: Memory;
  readonly most?: number | undefined;
  readonly patience?: number;
}

/**
 * Draft, switch on, generate, start, and call every tool of one description against its mock.
 *
 * @param options.most so many tools, evenly spread; without it all of them
 * @param options.patience seconds that the mock has for an answer, at most 120; a call without one
 *   is set aside, which says nothing of our tools
 */
export async function runVendor(
  description: Description,
  { base }: Workplace,
  { memory, most, patience = 20 }: RunOptions,
): Promise<VendorRun> {
  const { id, name, file } = description;
  const nothing = {
    ...{ name, operations: 0, tools: 0, off: [], paged: 0, firstPageOnly: 0 },
    ...{ calls: [], unsampled: [] },
  };
  const drafted = await draftAll(description, base, { most, patience });
  if ('reason' in drafted) return { ...nothing, failure: `not drafted: ${drafted.reason}` };
  const off = drafted.off.map(({ code, message }) => `${code} ${message}`);
  const { tools } = drafted.model;
  const { sources } = await readProviderFolder(`specs/providers/${id}`, base);
  const known = {
    ...{ ...nothing, operations: drafted.total, tools: tools.length, off },
    paged: tools.filter(({ behaviour }) => behaviour.paging !== undefined).length,
    firstPageOnly: sources === undefined ? 0 : checkPages(sources, drafted.model).length,
  };
  const { diagnostics } = await generate({ base, memory });
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (error) return { ...known, failure: `not generated: ${error.code} ${error.message}` };

  await using stack = new AsyncDisposableStack();
  try {
    const mock = await startPrism(file);
    stack.defer(() => mock.stop());
    const recorder = await startRecorder(mock);
    stack.defer(() => recorder.close());
    const server = await startServer(base, environment(id, drafted, recorder.url), 2 * patience);
    stack.defer(() => server.stop());
    const client = await connectTools(server.url, 3000 * patience);
    stack.defer(() => client.close());
    const schemas = new Schemas();
    const calls: Judged[] = [];
    const unsampled: string[] = [];
    // Prism takes minutes to make up an answer of some schemas.
    let takesExamples = false;
    const ours = new Map(
      drafted.model.tools.map((tool) => [tool.definition.name, ownArguments(tool)]),
    );
    for (const tool of await client.list()) {
      const own = ours.get(tool.name);
      if (!own) continue;
      const fits = tool.outputSchema && schemas.compile(tool.outputSchema);
      for (const { extent, args, problem } of sampleCalls(
        tool.inputSchema,
        own,
        schemas.compile(tool.inputSchema),
      )) {
        if (!args) {
          unsampled.push(`${tool.name} (${extent}): ${problem}`);
          continue;
        }
        recorder.take();
        recorder.dynamic = extent === 'edges' && !takesExamples;
        const result = await client.call(tool.name, args);
        const exchanges = recorder.take();
        calls.push(judge({ tool: tool.name, extent, args }, result, { exchanges, fits }));
        const isSilent = exchanges.some(({ problem }) => problem === mockSilent);
        takesExamples ||= isSilent;
        if (isSilent || exchanges.some(({ problem }) => problem === mockEnded)) await mock.revive();
      }
    }
    return { ...known, calls, unsampled };
  } catch (failure) {
    return { ...known, failure: (failure as Error).message };
  }
}

/** Arguments of which more is known than their schema says: a cursor is one that an earlier answer gave. */
function ownArguments({ behaviour }: DraftedVendor['model']['tools'][number]): readonly string[] {
  return behaviour.paging === undefined ? [] : ['cursor'];
}

/** The variables with which the server reaches the mock, with a credential of the kind that was guessed. */
function environment(id: string, { curation, model }: DraftedVendor, url: string) {
  const isBasic = curation.auth.some(({ type }) => type === 'basic');
  const credential = isBasic ? 'user:password' : 'contract-credential';
  return {
    SERVICE_PROVIDER: id,
    [`SERVICE_PROVIDER_${id.toUpperCase()}_URL`]: url,
    ...Object.fromEntries(
      model.env.filter((name) => name.startsWith('SERVICE_')).map((name) => [name, credential]),
    ),
  };
}
