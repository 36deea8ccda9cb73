import { type ParsedFile, parseFile } from './parsed-file.ts';
import type { ParsedText } from './parsed-text.ts';
import { parseYaml } from './yaml-text.ts';

const opening = '---\n';

/** Read the YAML at the beginning of a Markdown file, with the position of every node. */
export function readFrontmatter(file: string, base: string): ParsedFile {
  return parseFile(file, base, parseFrontmatter);
}

function parseFrontmatter(text: string): ParsedText {
  const [, yaml] = /^---\n([\s\S]*?)^---[ \t]*$/m.exec(text) ?? [];
  if (yaml === undefined || !text.startsWith(opening)) return missing;
  const { value, problems, offsetOf } = parseYaml(yaml);
  return {
    value,
    problems: problems.map((problem) => ({ ...problem, offset: problem.offset + opening.length })),
    offsetOf: (path) => offsetOf(path) + opening.length,
  };
}

const missing: ParsedText = {
  value: undefined,
  problems: [
    {
      code: 'SPEC002',
      severity: 'error',
      offset: 0,
      path: [],
      message: 'the file must begin with YAML between two lines of "---"',
    },
  ],
  offsetOf: () => 0,
};
