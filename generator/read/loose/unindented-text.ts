import { type MendedText, placesBefore, type Shift } from './mended-text.ts';
import { type QuotedText, quotedTexts } from './quoted-texts.ts';

/** So many blanks at most are put before lines of texts in quotes. */
export const mostIndentation = 4_000_000;

/** How the parser says that it has found no end of a text in quotes. */
export const missingQuote = /closing ["']quote/;

/**
 * Indent the further lines of texts in quotes that stand further left than YAML 1.2 allows (section
 * 7.3.1), as pasted certificates and what libraries of Java write: other readers take them.
 *
 * @returns nothing where this is not what is wrong
 */
export function indentQuoted(source: string): MendedText | undefined {
  const found = quotedTexts(source);
  if (found === undefined) return undefined;
  const offsets: number[] = [];
  const parts: string[] = [];
  const shifts: Shift[] = [];
  let from = 0;
  let added = 0;
  for (const text of found) {
    const before = added;
    for (const { line, blanks } of leftLines(source, text)) {
      parts.push(source.slice(from, line), ' '.repeat(blanks));
      from = line;
      added += blanks;
      if (added > mostIndentation) return undefined;
      shifts.push({ at: line + added, by: added });
    }
    if (added > before) offsets.push(text.start);
  }
  if (added === 0) return undefined;
  const text = parts.join('') + source.slice(from);
  return { text, offsets, written: placesBefore(shifts) };
}

/** The lines of a text in quotes that stand too far left, and how many blanks they need. */
function* leftLines(source: string, { start, end, parent }: QuotedText) {
  const lines = /\n( *)(?=[^ \r\n])/g;
  lines.lastIndex = start;
  for (let line = lines.exec(source); line !== null; line = lines.exec(source)) {
    if (line.index >= end) return;
    const blanks = parent + 1 - (line[1] ?? '').length;
    if (blanks > 0) yield { line: line.index + 1, blanks };
  }
}
