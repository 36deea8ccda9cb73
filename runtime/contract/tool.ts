import type { CallContext } from './caller.ts';
import type { JsonPath, JsonSchema } from './json.ts';
import type { OperationDemands, WholeInput } from './operation.ts';
import type { ToolRequest } from './request.ts';
import type { ResourceContents } from './resource.ts';

export { path } from './path.ts';

/** Hints for the client (MCP 2026-07-28, ToolAnnotations). */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

/** What the server says about a tool, and what it demands of a call. */
export interface ToolDefinition extends OperationDemands {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** The arguments, as far as clients have room for them: an object, without references out of itself. */
  readonly input: JsonSchema;
  /** The shaped result: every field optional, nullable and open. */
  readonly output?: JsonSchema;
  readonly deprecated?: true;
  /** Called again after a crash with the same id of the call, it goes on where it was. */
  readonly resumes?: true;
  /** Scopes that whoever is shown it lacks, and could be given; absent where it lacks none. */
  readonly lacks?: readonly string[];
}

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
      readonly size?: number;
    }
  | { readonly type: 'resource'; readonly resource: ResourceContents };

/** What a tool gives back (MCP 2026-07-28, CallToolResult). */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: true;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** One tool as the catalogue knows it: nobody can tell where it comes from. */
export interface Tool {
  readonly definition: ToolDefinition;
  /** Ask what has to be asked before the work begins, and before a task is made of it. */
  ask?(args: Readonly<Record<string, unknown>>, context: CallContext): Promise<void>;
  /** What arguments are held to in place of `definition.input`, where that had to be cut. */
  readonly wholeInput?: WholeInput;
  /** Run with arguments that satisfy it. */
  call(args: Readonly<Record<string, unknown>>, context: CallContext): Promise<ToolResult>;
}

/** How one answer of a vendor leads to the next page. */
export interface Paging {
  readonly style:
    | 'cursor'
    | 'page'
    | 'offset'
    | 'link_header'
    | 'next_url'
    | 'relay'
    | 'token_body'
    | 'date_window';
  /** Where the answer names the next cursor, page or address. */
  readonly next?: JsonPath;
  /** A response header that holds the next cursor (`cursor`, `token_body`). */
  readonly nextHeader?: string;
  readonly hasMore?: JsonPath;
  readonly total?: JsonPath;
  /** Where the answer says how many pages there are (`page`). */
  readonly pages?: JsonPath;
  /** The list whose items are counted, in an answer that is given whole (`page`, `offset`). */
  readonly counted?: JsonPath;
  /** Query parameter of the next address that is the cursor (`link_header`, `next_url`, `page` with `next`, `nextHeader`). */
  readonly parameter?: string;
  /** Number of the first page (`page`), or of the first item where that is not 0 (`offset`). */
  readonly first?: number;
  /** The largest position that the vendor takes (`page`, `offset`): what follows cannot be read. */
  readonly last?: number;
  /** Items on a page when the caller names no `limit`. */
  readonly pageSize?: number;
  /**
   * Items on a page that are sure to be given to who asks for them (`page`, `offset`): after a page
   * that was asked to be larger and is not full, there can be more. Absent where any size is sure.
   */
  readonly sure?: number;
  /** A response header that marks the last page by its value. */
  readonly stop?: { readonly header: string; readonly value: string };
}

/** How a vendor's answer becomes the tool's result. */
export interface ResponseShape {
  /** How the body is read; by its Content-Type when absent. */
  readonly decode?: 'json' | 'xml' | 'text' | 'csv' | 'binary';
  /** Media types that a success is promised in, where that is not JSON alone. */
  readonly types?: readonly string[];
  /** Where the list stands; the result becomes `{ items, next_cursor?, truncated?, hint?, answer? }`. */
  readonly items?: JsonPath;
  /** What the description tells of beside the list: the result leaves it out, unless it tells of a failure. */
  readonly besides?: readonly JsonPath[];
  /** The list may be null where it is empty. */
  readonly nullList?: true;
  /** Objects of parallel arrays that become arrays of rows. */
  readonly rows?: readonly JsonPath[];
  /** Fields to keep, of each item where there are items. */
  readonly pick?: readonly string[];
  readonly drop?: readonly string[];
  /** New field names and where their values stand, in each item where there are items. */
  readonly map?: Readonly<Record<string, JsonPath>>;
  /** Fields in base64 to turn into the text that they carry; those that carry none stay. */
  readonly base64?: readonly JsonPath[];
  /** HTML to turn into Markdown: the whole text, or the named fields. */
  readonly markdown?: true | readonly JsonPath[];
  /** A long text of which each call returns one part, from the argument `offset` on. */
  readonly slice?: { readonly path: JsonPath; readonly maxCharacters: number };
  /** Ids in the list that are read one by one: `limit` of them, or as many as the caller wants. */
  readonly follow?: { readonly path: string; readonly limit: number };
  readonly maxItems?: number;
  readonly maxBytes?: number;
  /** Third parties wrote this text: it is delivered as marked data. */
  readonly untrusted?: true;
  /** Answer with a link instead of the content. */
  readonly linkOnly?: true;
  /** A redirection is the answer: its address is given as `location`, and nothing goes there. */
  readonly location?: true;
  /** Headers of the answer to give with the result, as `response_headers`; names in lower case. */
  readonly headers?: readonly string[];
  /** Besides what the output schema tells of, a success may be empty, null or of another form. */
  readonly anyForm?: true;
}

/** Whether an answer is a list itself: its items stand in it, or in one of its items. */
export function isListItself({ items }: ResponseShape): boolean {
  const step = items && (items[0] ?? '*');
  return step === '*' || typeof step === 'number';
}

/** A tool that is one request to a vendor. */
export interface VendorTool extends ToolDefinition {
  readonly request: (args: never) => ToolRequest;
  /** The file that holds what arguments are held to; absent where `input` is whole. */
  readonly wholeInputs?: URL;
  /** The schemes of its provider that it takes instead of the usual ones; `none` does without. */
  readonly auth?: readonly string[];
  readonly response?: ResponseShape;
  readonly paging?: Paging;
  /** Where the vendor takes a key that makes a repeated request harmless, or one that only names the request. */
  readonly vendorKey?: {
    readonly in: 'header' | 'body';
    readonly name: string;
    readonly onlyNames?: true;
    /** Headers that name the same request. */
    readonly also?: readonly string[];
  };
  /** Tokens that one call takes from the rate bucket. */
  readonly rateCost?: number;
  readonly timeoutMs?: number;
  readonly cache?: { readonly ttlMs: number };
}

/** A vendor tool with the type of its arguments, which only its own request builder needs. */
export interface TypedVendorTool<Arguments> extends Omit<VendorTool, 'request'> {
  readonly request: (args: Arguments) => ToolRequest;
}

/** Check a generated tool against its argument type, then erase that type. */
export function defineTool<Arguments>(tool: TypedVendorTool<Arguments>): VendorTool {
  return tool;
}
