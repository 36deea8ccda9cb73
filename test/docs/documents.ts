import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../..', import.meta.url));

/** A handwritten document, by its path in the project. */
export interface Document {
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** Text between fences. */
export interface Block {
  readonly document: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Where the text belongs, when its first line is a comment that names a file. */
  readonly file: string | undefined;
}

const guides = readdirSync(join(project, 'docs')).sort();

/** Every document for readers, in the order in which their commands are run. */
export const documents: readonly Document[] = [
  'README.md',
  ...guides.map((name) => `docs/${name}`),
  'CONTRIBUTING.md',
].map((name) => {
  const text = readFileSync(join(project, name), 'utf8');
  return { name, text, blocks: blocksOf(name, text) };
});

/** All blocks in a language. */
export function blocksIn(language: string): readonly Block[] {
  return documents.flatMap(({ blocks }) => blocks.filter((block) => block.language === language));
}

/** The shell commands of a block; one that goes on over a line is one command. */
export function commandsOf({ text }: Block): readonly string[] {
  return text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function blocksOf(document: string, text: string): Block[] {
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```/gm)].map((match) => {
    const [, indent = '', language = '', indented = ''] = match;
    const lines = indented.split('\n').map((line) => line.slice(indent.length));
    const line = text.slice(0, match.index).split('\n').length;
    const file = /^(?:#|\/\/) ([\w.-]+(?:\/[\w.-]+)+\.\w+)$/.exec(lines[0] ?? '')?.[1];
    return { document, line, language, text: lines.join('\n'), file };
  });
}
