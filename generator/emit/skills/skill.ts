import { hash } from 'node:crypto';
import type { SkillModel, SkillText } from '../../model/house/skill-model.ts';
import { asIdentifier, camelCase, distinct } from '../../model/texts/names.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { lazyImport } from '../print/lazy-import.ts';
import { literal } from '../print/literal.ts';
import { template } from '../print/quoted.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** Print a skill: `skill.ts` says what is in it, `skill-text.ts` holds the files. */
export function emitSkill(skill: SkillModel): EmittedFile[] {
  const { folder, source, exportName, frontmatter, files } = skill;
  const names = distinct(files.map(({ path }) => asIdentifier(camelCase(path))));
  const entries = files.map(({ path, text }, index) => ({
    path,
    digest: `sha256:${hash('sha256', text)}`,
    size: Buffer.byteLength(text),
    load: lazyImport('./skill-text.ts', names[index] ?? ''),
  }));
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
          value: literal({ frontmatter, files: entries }, { depth: 0, used: 100, after: 1 }),
        }),
      ],
    }),
    printSourceFile({
      path: `${folder}/skill-text.ts`,
      source,
      statements: files.map((file, index) => textConstant(file, names[index] ?? '')),
    }),
  ];
}

function textConstant({ path, text }: SkillText, name: string): string {
  return constant({ name, docs: [`\`${path}\``], value: template(text) });
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
