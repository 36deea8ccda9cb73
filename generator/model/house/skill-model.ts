import type { Skill } from '#contract/skill';

/** A skill before its files are printed. */
export interface SkillModel {
  /** The surface that it is about; absent where it is about the whole server. */
  readonly surface?: string;
  /** The folder under `generated/` that its modules go to. */
  readonly folder: string;
  /** What it is made from, for the first line of the modules. */
  readonly source: string;
  /** Name of the constant that holds it. */
  readonly exportName: string;
  readonly frontmatter: Skill['frontmatter'];
  /** SKILL.md first. */
  readonly files: readonly SkillText[];
}

export interface SkillText {
  readonly path: string;
  readonly text: string;
}
