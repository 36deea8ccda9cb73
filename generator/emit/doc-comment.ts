import { displayWidth } from './display-width.ts';
import { lineWidth } from './literal.ts';
import { visible } from './quoted.ts';

/**
 * Print a doc comment over the given paragraphs, indented by `depth` steps: on one line where it
 * fits. Nothing in the text can end the comment.
 */
export function docComment(paragraphs: readonly string[], depth = 0): string {
  const indent = '  '.repeat(depth);
  const texts = paragraphs.map(commentText).filter((text) => text !== '');
  const first = texts[0];
  if (first === undefined) return '';
  const short = `${indent}/** ${first} */`;
  if (texts.length === 1 && displayWidth(short) <= lineWidth) return `${short}\n`;
  const lines = texts.flatMap((text, index) => [
    ...(index === 0 ? [] : ['']),
    ...wrap(text, lineWidth - indent.length - 3),
  ]);
  const body = lines.map((line) => `${indent} * ${line}`.trimEnd());
  return `${indent}/**\n${body.join('\n')}\n${indent} */\n`;
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
