import { type Cursor, endOfLine, nextLine, notSimple, skipSpaces, space, tab } from './cursor.ts';

/** How a text begins: kept or folded, how far it is indented, and what becomes of breaks at its end. */
const header = /([|>])([1-9]?)([-+]?)(?: +#[^\n]*| *)\n/y;

/** Read a text that stands in lines of its own, right of `column` (YAML 1.2.2, section 8.1). */
export function blockText(cursor: Cursor, column: number): string {
  const { text } = cursor;
  header.lastIndex = cursor.at;
  const [, style, told, chomping] = header.exec(text) ?? notSimple('head of a text');
  const indent = told ? column + Number(told) : undefined;
  cursor.at = header.lastIndex - 1;
  const { lines, empty } = readLines(cursor, column, indent);
  nextLine(cursor);
  // Whether the end of a file ends a line is a question for the whole reader.
  if (chomping === '+' && cursor.column === -1) notSimple('breaks at the end');
  if (lines.length === 0) return chomping === '+' ? '\n'.repeat(empty) : '';
  const written = style === '|' ? lines.join('\n') : fold(lines);
  switch (chomping) {
    case '-':
      return written;
    case '+':
      return `${written}\n${'\n'.repeat(empty)}`;
    default:
      return `${written}\n`;
  }
}

/** The lines of the text without what they are indented by, and how many empty ones follow them. */
function readLines(cursor: Cursor, column: number, told: number | undefined) {
  const { text } = cursor;
  const lines: string[] = [];
  let indent = told;
  let emptyWidth = 0;
  let kept = 0;
  let isWhole = false;
  for (let start = cursor.at + 1; start < text.length; ) {
    const at = skipSpaces(text, start);
    const end = endOfLine(text, at);
    const width = at - start;
    const isEmpty = at === end;
    if (!isEmpty) indent ??= width;
    if (indent === undefined) emptyWidth = Math.max(emptyWidth, width);
    if (!isEmpty && (width <= column || (indent !== undefined && width < indent))) break;
    isWhole ||= !isEmpty;
    // Spaces beyond the others are a part of the text.
    const says = indent !== undefined && (!isEmpty || width > indent);
    lines.push(says ? text.slice(start + (indent ?? 0), end) : '');
    if (says) {
      kept = lines.length;
      cursor.at = end;
    }
    start = end + 1;
  }
  const isEnded = cursor.at < text.length;
  if (isWhole !== kept > 0 || !isEnded || (isWhole && emptyWidth > (indent ?? 0)))
    notSimple('lines of a text');
  return { lines: lines.slice(0, kept), empty: lines.length - kept };
}

/** Fold lines: an empty one is a break, and those that are indented further stay as they are. */
function fold(lines: readonly string[]): string {
  let folded = '';
  let breaks = 0;
  let keeps = false;
  for (const [index, line] of lines.entries()) {
    if (line === '') {
      breaks++;
      continue;
    }
    const first = line.charCodeAt(0);
    const isFurther = first === space || first === tab;
    if (index === breaks) folded = '\n'.repeat(breaks) + line;
    else if (isFurther || keeps) folded += '\n'.repeat(breaks + 1) + line;
    else folded += (breaks === 0 ? ' ' : '\n'.repeat(breaks)) + line;
    breaks = 0;
    keeps = isFurther;
  }
  return folded;
}
