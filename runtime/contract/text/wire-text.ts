import { refusedValue } from './refused-value.ts';

/**
 * The text of a value where all are text: no style of OpenAPI says how an object stands within a list, or within
 * another, so that is JSON.
 */
export function wireText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  // What writes itself, such as a long number, has a text of its own.
  return isPlain(value) ? JSON.stringify(value) : String(value);
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * A text that UTF-8 can carry: half of a character would arrive as another one (U+FFFD).
 *
 * @throws ToolError `invalid_arguments` where it holds a surrogate without its other half
 */
export function wholeCharacters(text: string): string {
  if (text.isWellFormed()) return text;
  const shown = JSON.stringify(text.slice(0, 80));
  const message = `expected whole characters, but ${shown} was given, which holds half of one (a surrogate without its other half)`;
  throw refusedValue(text, message);
}
