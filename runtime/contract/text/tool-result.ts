import type { ContentBlock, ToolResult } from '../tool.ts';
import { markUntrusted, untrustedKey } from './untrusted.ts';

/** A structured result and its JSON text. */
export interface Structured {
  readonly value: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Of numbers that a double has rounded, the digits with which they stand in the text. */
  readonly digits?: ReadonlyMap<number, string>;
}

/** The result of a tool: data, and the same as text for clients that read only that. */
export function structuredResult(
  { value, text }: Structured,
  { untrusted, title }: { untrusted: boolean; title: string },
): ToolResult {
  const shown = untrusted ? markUntrusted(text, title) : text;
  const result: WrittenResult = {
    content: [{ type: 'text', text: shown }],
    structuredContent: value,
    ...(untrusted && { _meta: { [untrustedKey]: true } }),
  };
  // Nobody else has to know: neither copies of the result nor comparisons see it.
  return Object.defineProperty(result, written, { value: { value, text } });
}

const written = Symbol('the JSON text of the structured content');

interface WrittenResult extends ToolResult {
  readonly [written]?: Structured;
}

/**
 * The JSON text of a result, with more members. Structured content that was written out for its
 * text is not written again: of a large answer, that would be two fifths of the encoding.
 */
export function resultText(result: WrittenResult, more?: object): string {
  const known = result[written];
  if (known === undefined || known.value !== result.structuredContent) {
    return JSON.stringify(more ? { ...result, ...more } : result);
  }
  const { structuredContent: _, ...others } = result;
  const rest = JSON.stringify(more ? { ...others, ...more } : others);
  return `${rest.slice(0, -1)},"structuredContent":${known.text}}`;
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
