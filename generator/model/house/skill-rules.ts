import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { DiagnosticCode } from '../../diagnostics/diagnostic-codes.ts';
import { linePositions } from '../../read/text/line-positions.ts';
import { hiddenIn } from '../texts/clean-text.ts';
import { instructionIn } from '../texts/instruction-text.ts';
import type { SkillModel, SkillText } from './skill-model.ts';

/** What every host can take (MCP, Skills extension, limits). */
const mostFiles = 512;
const mostBytes = 16_777_216;

/** Check what the schema of the frontmatter cannot say of a skill. */
export function checkSkill(
  folder: string,
  { description }: SkillModel['frontmatter'],
  files: readonly SkillText[],
): Diagnostic[] {
  const paths = new Set(files.map(({ path }) => path));
  const order = instructionIn(description);
  return [
    ...checkSize(folder, files),
    ...(order === undefined
      ? []
      : [found('P027', folder, files[0], `the description says "${order}"`)]),
    ...files.flatMap((file) => checkFile(folder, file, paths)),
  ];
}

function checkSize(folder: string, files: readonly SkillText[]): Diagnostic[] {
  const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (files.length <= mostFiles && bytes <= mostBytes) return [];
  const message = `the skill has ${files.length} files and ${bytes} bytes, at most ${mostFiles} and ${mostBytes} are allowed`;
  return [found('SKILL003', folder, files[0], message)];
}

function checkFile(folder: string, file: SkillText, paths: ReadonlySet<string>): Diagnostic[] {
  const { path, text } = file;
  if (!path.endsWith('.md')) return [found('SKILL003', folder, file, `${path} is no Markdown`)];
  const hidden = hiddenIn(text).map(({ offset, what }) =>
    found('SKILL002', folder, file, `${what} hides from the reader`, offset),
  );
  const dead = [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(({ 1: link = '', index }) => {
    const [target = ''] = link.split('#');
    if (target === '' || /^[a-z][a-z+.-]*:/i.test(target) || paths.has(target)) return [];
    return [found('SKILL004', folder, file, `there is no ${target} in the skill`, index)];
  });
  return [...hidden, ...dead];
}

function found(
  code: DiagnosticCode,
  folder: string,
  file: SkillText | undefined,
  message: string,
  offset = 0,
): Diagnostic {
  const position = linePositions(file?.text ?? '')(offset);
  const at = { file: `${folder}/${file?.path ?? 'SKILL.md'}`, ...position, pointer: '' };
  return diagnose(code, at, message);
}
