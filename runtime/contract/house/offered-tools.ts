import type { CallContext, Caller } from '../caller.ts';
import type { JsonSchema } from '../json.ts';
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
  /** The names of all that a tenant can call, listed or not. */
  names(tenant: string): Iterable<string>;
  /** Ids of the vendors and surfaces of which a tenant finds tools. */
  sources(tenant: string): readonly string[];
  /** Nothing where there is none of this name, or where the tenant does not have it. */
  definition(name: string, tenant: string): Promise<ToolDefinition | undefined>;
  /** What the arguments of a tool are held to, which may be more than its definition has room for. */
  wholeInput(name: string, tenant: string): Promise<JsonSchema | undefined>;
  /** A tool as a caller sees it, with what it lacks; nothing where it never can use it. */
  seenBy(caller: Caller, definition: ToolDefinition): ToolDefinition | undefined;
  /** The tools that answer a question, the best first, with what the caller lacks; none where none does. */
  search(question: string, query: ToolQuery): Promise<readonly ToolDefinition[]>;
  /** Ids of the vendors and surfaces of a tenant that have most to do with a question that no tool answers. */
  nearest(question: string, tenant: string): Promise<readonly string[]>;
  /** Names that a caller may have meant who wrote `name`, of tools that it can use or be given. */
  suggest(name: string, caller: Caller): Promise<readonly string[]>;
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
