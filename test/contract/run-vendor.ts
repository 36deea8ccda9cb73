import { readProviderFolder } from '../../generator/kinds/provider-files/provider-folder.ts';
import type { Memory } from '../../generator/pipeline/memory.ts';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { checkPages } from '../../generator/provider/check-pages.ts';
import { type Bench, type Called, callTools, withoutAnswer } from './call-tools.ts';
import { connectTools, type ListedTool } from './connect-tools.ts';
import { mockSilent, startRecorder } from './mock/recorder.ts';
import { startMock } from './mock/start-mock.ts';
import { type ListTool, listTools } from './pages/list-tools.ts';
import { type Followed, followPage } from './pages/second-page.ts';
import { type PeerRun, runPeer } from './peer/run-peer.ts';
import { sentCredentials, serverCredentials } from './setup/credentials.ts';
import type { Description } from './setup/descriptions.ts';
import { draftAll } from './setup/draft-all.ts';
import { startServer } from './setup/server.ts';
import type { Workplace } from './setup/workplace.ts';

/** What the harness found out about one description. */
export interface VendorRun extends Called {
  readonly name: string;
  /** Operations of the description, those that the draft alone had switched on, and tools that the server offers. */
  readonly operations: number;
  readonly drafted: number;
  readonly tools: number;
  /** Why operations are not among the tools. */
  readonly off: readonly string[];
  /** Tools that page through a list, and why others give the first page of one only (P028). */
  readonly paged: number;
  readonly firstPageOnly: readonly string[];
  /** What became of second pages, of each list whose first page was read. */
  readonly followed: readonly Followed[];
  /** What another server makes of the same operations, where it was asked for. */
  readonly peer?: PeerRun;
  /** What kept all of it from being called. */
  readonly failure?: string;
}

interface RunOptions {
  readonly memory: Memory;
  readonly most?: number | undefined;
  readonly patience?: number;
  /** Whether the mock answers what its document describes; without, requests alone are judged. */
  readonly withAnswers?: boolean;
  /** A Python that has FastMCP. */
  readonly peerPython?: string | undefined;
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
  { memory, most, patience = 20, withAnswers = true, peerPython }: RunOptions,
): Promise<VendorRun> {
  const { id, name, file } = description;
  const nothing = {
    ...{ name, operations: 0, drafted: 0, tools: 0, off: [], paged: 0, firstPageOnly: [] },
    ...{ followed: [], calls: [], unsampled: [] },
  };
  const drafted = await draftAll(description, base, { most, patience });
  if ('reason' in drafted) return { ...nothing, failure: `not drafted: ${drafted.reason}` };
  const { model, curation } = drafted;
  const off = drafted.off.map(({ code, message }) => `${code} ${message}`);
  const { sources } = await readProviderFolder(`specs/providers/${id}`, base);
  const lists = sources ? listTools(sources, model) : new Map<string, ListTool>();
  const only = sources ? checkPages(sources, model).map(({ message }) => message) : [];
  const facts = {
    ...{ ...nothing, operations: drafted.total, drafted: drafted.drafted, off },
    ...{ tools: model.tools.length, paged: lists.size, firstPageOnly: only },
  };
  const { diagnostics } = await generate({ base, memory });
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (error) return { ...facts, failure: `not generated: ${error.code} ${error.message}` };

  const operations = model.tools.map(({ origin }) => [origin.method, origin.path] as const);
  await using stack = new AsyncDisposableStack();
  try {
    const { mock, document, hasAnswers } = await startMock(file, operations, stack, {
      withAnswers,
    });
    const recorder = await startRecorder(mock);
    stack.defer(() => recorder.close());
    const env = serverCredentials(id, drafted, recorder.url);
    const server = await startServer(base, env, 2 * patience);
    stack.defer(() => server.stop());
    // Most models are told in words what combinations demand, which a sampler cannot read.
    const client = await connectTools(new URL('?profile=exact', server.url), 3000 * patience);
    stack.defer(() => client.close());
    const names = new Set(model.tools.map(({ definition }) => definition.name));
    const isOurs = ({ name: tool }: ListedTool) => names.has(tool);
    const offered = (await client.list()).filter(isOurs);
    const startAlone = () => startMock(file, operations, stack, { withAnswers: false });
    let started: ReturnType<typeof startAlone> | undefined;
    const silentAtNone = () => (started ??= startAlone());
    const bench = { client, mock, recorder, document, silentAtNone };
    const own = (tool: string) => (lists.has(tool) ? ['cursor'] : []);
    const judged = await callTools(offered, bench, own);
    const calls = hasAnswers ? judged.calls : judged.calls.map(withoutAnswer);
    const called = { ...judged, calls };
    const followed = hasAnswers ? await followAll(lists, called, bench) : [];
    const done = { ...facts, ...called, followed };
    if (peerPython === undefined) return done;
    const usual = await connectTools(server.url, 3000 * patience);
    stack.defer(() => usual.close());
    const ours = (await usual.list()).filter(isOurs);
    const peer = await runPeer({
      ...{ python: peerPython, file, bench, ours, patience },
      operations,
      ...sentCredentials(curation),
    });
    return { ...done, peer };
  } catch (failure) {
    return { ...facts, failure: (failure as Error).message };
  }
}

/** Go on to the second page of every list whose first page the document allows. */
async function followAll(
  lists: ReadonlyMap<string, ListTool>,
  { calls }: Called,
  { client, mock, recorder, document }: Bench,
): Promise<readonly Followed[]> {
  const followed: Followed[] = [];
  for (const list of lists.values()) {
    const first = calls.find(({ tool, outcome }) => tool === list.name && outcome === 'accepted');
    if (!first) continue;
    const page = await followPage(list, { client, recorder, document, args: first.args });
    followed.push(page);
    if (page.reason === mockSilent) await mock.revive();
  }
  return followed;
}
