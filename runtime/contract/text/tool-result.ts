import type { ContentBlock, ToolResult } from '../tool.ts';
import { markUntrusted, untrustedKey } from './untrusted.ts';

/** A structured result and its JSON text. */
export interface Structured {
  readonly value: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** The result of a tool: data, and the same as text for clients that read only that. */
export function structuredResult(
  { value, text }: Structured,
  { untrusted, title }: { untrusted: boolean; title: string },
): ToolResult {
  if (!untrusted) return { content: [{ type: 'text', text }], structuredContent: value };
  return {
    content: [{ type: 'text', text: markUntrusted(text, title) }],
    structuredContent: value,
    _meta: { [untrustedKey]: true },
  };
}

/** The result of a tool whose answer is a block of its own: an image, a link. */
export function blockResult(
  block: ContentBlock,
  about: Readonly<Record<string, unknown>>,
  untrusted: boolean,
): ToolResult {
  return {
    content: [block],
    structuredContent: about,
    ...(untrusted ? { _meta: { [untrustedKey]: true } } : {}),
  };
}
