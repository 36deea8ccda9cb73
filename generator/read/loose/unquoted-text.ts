import { type MendedText, placesBefore, type Shift } from './mended-text.ts';

/** How the parser says that it has found a map where a text was begun on the line of its key. */
export const nestedMap = /\(BLOCK_AS_IMPLICIT_KEY\)$/;

/** A key, behind dashes, and a text of one line that begins as no other value does. */
const keyAndText = /^((?:- +)*)([\w$./{}-]+:[ \t]+)([^\s"'#[\]{}|>&*!%@`,?-].*)$/;

/**
 * Put texts into quotes that hold a colon and a blank, which YAML 1.2 (section 7.3.3) allows in no text without them:
 * `description: Missing field: name`.
 *
 * @param found where the parser has found something else than one text
 * @returns nothing where this is not what is wrong
 */
export function quoteColons(source: string, found: readonly number[]): MendedText | undefined {
  const starts = new Set(found.map((offset) => source.lastIndexOf('\n', offset - 1) + 1));
  const offsets: number[] = [];
  const parts: string[] = [];
  const shifts: Shift[] = [];
  let from = 0;
  let added = 0;
  for (const start of [...starts].toSorted((a, b) => a - b)) {
    const text = textAt(source, start);
    if (text === undefined) continue;
    const [offset, value] = text;
    const quoted = JSON.stringify(value);
    parts.push(source.slice(from, offset), quoted);
    from = offset + value.length;
    added += quoted.length - value.length;
    shifts.push({ at: from + added, by: added });
    offsets.push(offset);
  }
  if (offsets.length === 0) return undefined;
  return { text: parts.join('') + source.slice(from), offsets, written: placesBefore(shifts) };
}

/** The text on a line and its offset, where it ends there: what stands further right below would belong to it. */
function textAt(source: string, start: number): readonly [number, string] | undefined {
  const [line, blanks] = lineAt(source, start);
  const [, dashes = '', key = '', rest] = keyAndText.exec(line.slice(blanks.length)) ?? [];
  if (rest === undefined) return undefined;
  const comment = rest.search(/[ \t]#/);
  const value = (comment < 0 ? rest : rest.slice(0, comment)).trimEnd();
  if (!/:(?:\s|$)/.test(value)) return undefined;
  const column = blanks.length + dashes.length;
  const below = source.indexOf('\n', start) + 1;
  if (below > 0 && lineAt(source, below)[1].length > column) return undefined;
  return [start + column + key.length, value];
}

/** The line that begins at an offset, or the next one that is not empty, and what it is indented with. */
function lineAt(source: string, start: number): readonly [line: string, blanks: string] {
  const filled = /(?:[ \t]*\r?\n)*(( *)[^\r\n]*)/y;
  filled.lastIndex = start;
  const [, line = '', blanks = ''] = filled.exec(source) ?? [];
  return [line, blanks];
}
