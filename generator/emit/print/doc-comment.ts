import { displayWidth } from './display-width.ts';
import { lineWidth } from './literal.ts';
import { visible } from './quoted.ts';

/**
 * Print a doc comment over the given paragraphs, indented by `depth` steps: on one line where it
 * fits. Nothing in the text can end the comment.
 */
export function docComment(paragraphs: readonly string[], depth = 0): string {
  const indent = '  '.repeat(depth);
  const lines = docLines(paragraphs, depth);
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  const body = lines.map((line) => `${indent} * ${line}`.trimEnd());
  return `${indent}/**\n${body.join('\n')}\n${indent} */\n`;
}

/** One line where the comment then fits on a line with its marks, else as many as it takes. */
function docLines(paragraphs: readonly string[], depth: number): readonly string[] {
  const texts = paragraphs.map(commentText).filter((text) => text !== '');
  const width = lineWidth - 2 * depth;
  if (texts.length <= 1 && displayWidth(texts.join()) + '/**  */'.length <= width) return texts;
  return texts.flatMap((text, index) => [
    ...(index === 0 ? [] : ['']),
    ...wrap(text, width - ' * '.length),
  ]);
}

/** Text that can stand in a comment: one line, visible, and without the mark that ends it. */
export function commentText(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim())
    .replaceAll('*/', '*\\/')
    .replaceAll('/*', '/\\*');
}

/** Break text into lines of at most `width` columns; a longer word has a line for itself. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines;
}
