import type { Logger } from 'pino';
import type { CallContext } from '#contract/caller';
import type { ToolForms } from '#contract/house/tool-forms';
import type { Config } from '../../generated/config.ts';
import { Call } from '../admission/call.ts';
import { exactForms } from '../mcp/profiles/client-forms.ts';
import type { InnerCalls } from '../mcp/request/inner-calls.ts';
import type { Catalogue, ToolFront } from '../offer/catalogue.ts';
import type { ToolMode } from '../offer/tool-mode.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ToolSearch } from '../search/tool-search.ts';
import type { ScriptTools } from './code/script-host.ts';

type ScriptSwitches = Pick<
  Config,
  'scriptThreads' | 'scriptCpuMs' | 'scriptMemory' | 'scriptCalls'
>;

export interface ToolFrontParts extends ScriptSwitches {
  readonly catalogue: Catalogue;
  readonly search: ToolSearch;
  readonly calls: InnerCalls;
  readonly forms: ToolForms;
  readonly log: Logger;
}

/** The tools that alone are listed in this mode, and the sandbox behind them where they have one. */
export async function createToolFront(
  mode: ToolMode,
  parts: ToolFrontParts,
): Promise<{ readonly front?: ToolFront; readonly sandbox?: Sandbox }> {
  if (mode === 'direct') return {};
  const { createSearch } = await import('./search/index.ts');
  // Scripts are shown the exact arguments, so whoever reads of tools there writes those.
  const searchFront = createSearch(mode === 'code' ? { ...parts, forms: exactForms } : parts);
  if (mode === 'search') return { front: searchFront };
  const [{ createCode }, { Sandbox }] = await Promise.all([
    import('./code/index.ts'),
    import('../sandbox/sandbox.ts'),
  ]);
  const { scriptThreads: threads, scriptCpuMs, scriptMemory, scriptCalls } = parts;
  const limits = { cpuMs: scriptCpuMs, memoryBytes: scriptMemory, calls: scriptCalls };
  const sandbox = new Sandbox({ threads, limits });
  const direct = searchFront.tools.filter(([name]) => name === 'tool_call');
  const front = createCode({ search: parts.search, sandbox, tools: scriptTools(parts) }, direct);
  return { front, sandbox };
}

function scriptTools({ catalogue, search, calls, log }: ToolFrontParts): ScriptTools {
  return {
    definition: async (name) => (await catalogue.find(name))?.definition,
    async suggest(name) {
      const leading = new Set(catalogue.front?.tools.map(([each]) => each));
      return (await search.suggest(name)).filter((each) => !leading.has(each));
    },
    call: (name, args, context, signal) => calls.call(name, args, innerCall(context, signal)),
    report: (err, tool) => log.error({ err, tool }, 'a tool that a script called has failed'),
  };
}

/** A call of its own on behalf of the same caller, whose client cannot be asked in the middle of it. */
function innerCall({ caller, client, trace }: CallContext, signal: AbortSignal): Call {
  const call = new Call(caller, undefined, { client: { ...client, capabilities: {} }, trace });
  const abort = () => call.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return call;
}
