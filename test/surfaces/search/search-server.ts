import { InnerCalls, type InnerCallsParts } from '../../../runtime/mcp/request/inner-calls.ts';
import type { ToolFront } from '../../../runtime/offer/catalogue.ts';
import { ToolSearch } from '../../../runtime/search/tool-search.ts';
import { legacy, modern } from '../../runtime/mcp/rpc.ts';
import { frontOver } from './front-over.ts';

/** The search in front of the tools of a test, for `startInMemoryServer`. */
export function searchFront(parts: InnerCallsParts): Promise<ToolFront> {
  const { catalogue } = parts;
  return frontOver({ catalogue, search: new ToolSearch(catalogue), calls: new InnerCalls(parts) });
}

export interface Called {
  readonly content: readonly { readonly text?: string }[];
  readonly isError?: true;
  readonly structuredContent?: {
    readonly tools?: readonly Readonly<Record<string, unknown>>[];
    readonly hint?: string;
    readonly unknown?: readonly unknown[];
    readonly omitted?: readonly string[];
    readonly error?: { readonly code: string; readonly message: string };
  };
}

/** Call a tool, and get its result. */
export async function callTool(url: URL, name: string, args: object = {}): Promise<Called> {
  const { body } = await legacy(url, { method: 'tools/call', params: { name, arguments: args } });
  if (!body.result) throw new Error(JSON.stringify(body.error));
  return body.result as unknown as Called;
}

/** Call `inner` through `tool_call`, as a modern client that can do everything. */
export function callInner(url: URL, inner: string, more: object = {}, args: object = {}) {
  const able = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': able };
  const params = { name: 'tool_call', arguments: { name: inner, arguments: args }, ...more };
  return modern(url, { method: 'tools/call', params, _meta });
}
