import { refusedValue } from './refused-value.ts';
import { wireText } from './wire-text.ts';

/** What joins the items of a list that is one value on the wire (OpenAPI 3.1, style values). */
export type Separator = ',' | ' ' | '|';

/**
 * A list or an object as one value. Where items are percent-encoded, a comma between them is not, so that one
 * within an item is told from it (RFC 6570, section 3.2.8); elsewhere an item that holds the separator would
 * arrive as two, and is refused.
 */
export class JoinedList {
  readonly separator: Separator;
  readonly #parts: readonly string[];

  constructor(parts: readonly unknown[], separator: Separator) {
    this.#parts = parts.map(wireText);
    this.separator = separator;
  }

  /** @throws ToolError `invalid_arguments` for an item that holds the separator where that tells nothing apart */
  encoded(encode: (text: string) => string): string {
    if (this.separator !== ',') return encode(this.toString());
    return this.#parts.map(encode).join(',');
  }

  /** @throws ToolError `invalid_arguments` for an item that holds the separator */
  toString(): string {
    const shown = JSON.stringify(this.separator);
    for (const part of this.#parts) {
      if (!part.includes(this.separator)) continue;
      const what = `an item must not hold ${shown}, which stands between the items on the wire`;
      throw refusedValue(part, `${what}, but ${JSON.stringify(part.slice(0, 80))} was given`);
    }
    return this.#parts.join(this.separator);
  }
}
