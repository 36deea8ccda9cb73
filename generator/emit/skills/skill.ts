import { hash } from 'node:crypto';
import type { SkillModel } from '../../model/house/skill-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { lazyImport } from '../print/lazy-import.ts';
import { Code, literal } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** Print a skill: `skill.ts` says what is in it, its files stand beside that in `skill/`. */
export function emitSkill(skill: SkillModel): EmittedFile[] {
  const { folder, source, exportName, frontmatter, files } = skill;
  const entries = files.map(({ path, text }) => ({
    path,
    digest: `sha256:${hash('sha256', text)}`,
    size: Buffer.byteLength(text),
  }));
  const value = {
    frontmatter,
    folder: new Code("new URL('./skill/', import.meta.url)"),
    files: entries,
  };
  return [
    printSourceFile({
      path: `${folder}/skill.ts`,
      source,
      imports: [{ from: '#contract/skill', types: ['Skill'] }],
      statements: [
        constant({
          name: exportName,
          type: 'Skill',
          docs: [`The skill ${frontmatter.name}.`],
          value: literal(value, { depth: 0, used: 100, after: 1 }),
        }),
      ],
    }),
    ...files.map(({ path, text }) => ({ path: `${folder}/skill/${path}`, text })),
  ];
}

/** Print `generated/skills.ts`: the skills of the server and of its surfaces, loaded on first use. */
export function emitSkillList(skills: readonly SkillModel[]): EmittedFile {
  const entries = skills.map(({ surface, folder, exportName }) => ({
    ...(surface !== undefined && { surface }),
    load: lazyImport(`${folder.replace('generated/', './')}/skill.ts`, exportName),
  }));
  return printSourceFile({
    path: 'generated/skills.ts',
    source: 'specs/skills',
    imports: [{ from: '#contract/skill', types: ['OwnSkill'] }],
    statements: [
      constant({
        name: 'skills',
        type: 'readonly OwnSkill[]',
        docs: ['What the server teaches about itself, and each surface where it is enabled.'],
        value: literal(entries, { depth: 0, used: 40, after: 1 }),
      }),
    ],
  });
}
