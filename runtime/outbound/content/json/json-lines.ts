import { tolerantJson } from './exact-json.ts';

/** The values of JSON texts that stand one after the other, and what had to be read as something else. */
interface JsonLines {
  readonly values: readonly unknown[];
  readonly odd?: string;
}

/**
 * Read JSON texts on lines of their own, or behind record separators (RFC 7464). One that is none,
 * as when a vendor fails on its way, stays the text that it is: the others are no worse for it.
 *
 * @param isWhole the last one may be cut where it is not
 * @returns nothing where already the first one is no JSON, or no object and no list
 */
export function readJsonLines(text: string, isWhole: boolean): JsonLines | undefined {
  const texts = text.split(text.includes('\u001e') ? '\u001e' : /\r\n|\n|\r/);
  const values: unknown[] = [];
  let odd: string | undefined;
  let broken = 0;
  for (const [index, each] of texts.entries()) {
    if (each.trim() === '') continue;
    const found = tolerantJson(each);
    if (found !== undefined) {
      values.push(found.value);
      odd ??= found.odd;
    } else if (isWhole || index < texts.length - 1) {
      if (typeof values[0] !== 'object') return undefined;
      values.push(each);
      broken += 1;
    }
  }
  const told = [broken > 0 ? unread(broken) : undefined, odd].filter((each) => each !== undefined);
  return { values, ...(told.length > 0 && { odd: told.join(', ') }) };
}

function unread(lines: number): string {
  const what = lines === 1 ? '1 line of the answer is' : `${lines} lines of the answer are`;
  return `${what} no JSON, or cut off, and given as text`;
}
