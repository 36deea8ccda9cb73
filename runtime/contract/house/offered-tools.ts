import type { CallContext, Caller } from '../caller.ts';
import type { ToolDefinition, ToolResult } from '../tool.ts';

type Arguments = Readonly<Record<string, unknown>>;

export interface ToolQuery {
  readonly limit: number;
  /** Id of a source, to which the search is confined. */
  readonly provider?: string | undefined;
  /** Who asks: what it can neither use nor be given is left out. */
  readonly caller: Caller;
}

/** Every tool that the server offers, for those that lead to them. */
export interface OfferedTools {
  /** The names of all that can be called, listed or not. */
  names(): Iterable<string>;
  /** Ids of the vendors and surfaces that tools are found of. */
  sources(): readonly string[];
  definition(name: string): Promise<ToolDefinition | undefined>;
  /** A tool as a caller sees it, with what it lacks; nothing where it never can use it. */
  seenBy(caller: Caller, definition: ToolDefinition): ToolDefinition | undefined;
  /** The tools that answer a question, the best first, with what the caller lacks; none where none does. */
  search(question: string, query: ToolQuery): Promise<readonly ToolDefinition[]>;
  /** Ids of the vendors and surfaces that have most to do with a question that no tool answers. */
  nearest(question: string): Promise<readonly string[]>;
  /** Names that somebody may have meant who wrote `name`. */
  suggest(name: string): Promise<readonly string[]>;
  /**
   * Run a tool with everything that stands before it; nothing where there is none of this name, or
   * where it leads to other tools itself.
   */
  call(name: string, args: Arguments, context: CallContext): Promise<ToolResult> | undefined;
  /** The same as a call of its own, whose client cannot be asked in the middle of it. */
  callApart(
    name: string,
    args: Arguments,
    context: CallContext,
    signal: AbortSignal,
  ): Promise<ToolResult> | undefined;
}

/** How the tools of a server are shown to clients. */
export type ToolMode = 'direct' | 'search' | 'code';
