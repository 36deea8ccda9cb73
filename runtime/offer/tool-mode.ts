/** How the tools of a server are shown to clients. */
export type ToolMode = 'direct' | 'search' | 'code';

/** Above this many tools clients lose some of them or choose worse (Cursor warns from 40 on, OpenAI and VS Code take 128). */
const mostDirect = 64;

/** The mode that `SERVICE_TOOL_MODE` asks for; `auto` lists as many tools as clients cope with. */
export function chooseToolMode(wanted: ToolMode | 'auto', tools: number): ToolMode {
  if (wanted !== 'auto') return wanted;
  return tools > mostDirect ? 'search' : 'direct';
}
