import type { ToolMode } from '#contract/house/offered-tools';
import type { ToolSource } from './catalogue.ts';

/** Above this many tools clients lose some of them or choose worse (Cursor warns from 40 on, OpenAI and VS Code take 128). */
const mostDirect = 64;

/** The mode that `SERVICE_TOOL_MODE` asks for; `auto` lists as many tools as clients cope with. */
export function chooseToolMode(
  wanted: ToolMode | 'auto',
  surfaces: readonly { readonly tools: number }[],
  sources: readonly Pick<ToolSource, 'tools'>[],
): ToolMode {
  if (wanted !== 'auto') return wanted;
  const own = surfaces.reduce((sum, { tools }) => sum + tools, 0);
  const tools = sources.reduce((sum, source) => sum + source.tools.length, own);
  return tools > mostDirect ? 'search' : 'direct';
}
