import { join } from 'node:path';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SkillModel, SkillText } from '../model/house/skill-model.ts';
import { checkSkill } from '../model/house/skill-rules.ts';
import { camelCase } from '../model/texts/names.ts';
import { checkFile } from '../read/text/checked-yaml.ts';
import { readFrontmatter } from '../read/text/frontmatter.ts';
import { readSourceText } from '../read/text/source-text.ts';
import { filesUnder } from '../write/input-hashes.ts';
import { type Kind, models, type Place, type Planned } from './kind/kind.ts';

/** What the server teaches about itself, and each surface about itself, one folder each. */
export const skills: Kind<SkillModel> = {
  name: 'skills',
  where: ['specs/skills/<id>/', 'specs/surfaces/<id>/skill/'],
  plan: planSkill,
  async print(model) {
    const { emitSkill } = await import('../emit/skills/skill.ts');
    return emitSkill(model);
  },
  async merge(parts) {
    const { emitSkillList } = await import('../emit/skills/skill.ts');
    return [emitSkillList(models(parts))];
  },
};

/** Read the files of a skill; without a model where something is wrong. */
function planSkill({ base, path: folder, id }: Place): Planned<SkillModel> {
  const manifest = `${folder}/SKILL.md`;
  const { file, content, diagnostics } = checkFile<SkillModel['frontmatter']>(
    readFrontmatter(join(base, manifest), base),
    'skill',
  );
  if (content === undefined) return { diagnostics };
  const others = filesUnder(base, folder).filter((path) => path !== manifest);
  const { files, diagnostics: unread } = readTexts(base, folder, [manifest, ...others]);
  const found = [...diagnostics, ...unread, ...checkSkill(folder, content, files)];
  if (content.name !== id) {
    const at = { ...file.locate('/name'), pointer: '/name' };
    found.push(diagnose('SKILL001', at, `skill "${content.name}" stands in the folder "${id}"`));
  }
  const model = {
    ...(folder.startsWith('specs/surfaces/') && { surface: id }),
    folder: `generated/skills/${id}`,
    source: folder,
    exportName: `${camelCase(id)}Skill`,
    frontmatter: content,
    files,
  };
  return { model, diagnostics: found };
}

function readTexts(
  base: string,
  folder: string,
  paths: readonly string[],
): { readonly files: readonly SkillText[]; readonly diagnostics: readonly Diagnostic[] } {
  const files: SkillText[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const file of paths) {
    const source = readSourceText(join(base, file));
    if (source.text !== undefined) {
      files.push({ path: file.slice(folder.length + 1), text: source.text });
      continue;
    }
    const at = { file, line: 1, column: 1, pointer: '' };
    diagnostics.push(diagnose('SPEC001', at, `cannot read the file: ${source.reason}`));
  }
  return { files, diagnostics };
}
