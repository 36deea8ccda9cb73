import { tolerantJson } from './exact-json.ts';

/** The values of JSON texts that stand one after the other, and what had to be read as something else. */
interface JsonLines {
  readonly values: readonly unknown[];
  readonly odd?: string;
}

/**
 * Read JSON texts on lines of their own, or behind record separators (RFC 7464).
 *
 * @param isWhole the last one may be cut where it is not
 * @returns nothing where one of them is no JSON
 */
export function readJsonLines(text: string, isWhole: boolean): JsonLines | undefined {
  const texts = text.split(text.includes('\u001e') ? '\u001e' : /\r\n|\n|\r/);
  const values: unknown[] = [];
  let odd: string | undefined;
  for (const [index, each] of texts.entries()) {
    if (each.trim() === '') continue;
    const found = tolerantJson(each);
    if (found !== undefined) {
      values.push(found.value);
      odd ??= found.odd;
    } else if (isWhole || index < texts.length - 1) return undefined;
  }
  return { values, ...(odd !== undefined && { odd }) };
}
