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

/** Print `generated/skills.ts`: the skills of the server itself, loaded on first use. */
export function emitSkillList(skills: readonly SkillModel[]): EmittedFile {
  const entries = skills.map(({ folder, exportName }) =>
    lazyImport(`${folder.replace('generated/', './')}/skill.ts`, exportName),
  );
  return printSourceFile({
    path: 'generated/skills.ts',
    source: 'specs/skills',
    imports: [{ from: '#contract/skill', types: ['LazySkill'] }],
    statements: [
      constant({
        name: 'skills',
        type: 'readonly LazySkill[]',
        docs: ['What the server teaches about itself.'],
        value: literal(entries, { depth: 0, used: 40, after: 1 }),
      }),
    ],
  });
}
