import type { JsonObject } from './json.ts';

/** One file of a skill. */
export interface SkillFile {
  /** Where it stands below the folder of the skill, with forward slashes. */
  readonly path: string;
  /** `sha256:` and the hash of its bytes in hexadecimal digits. */
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

/** A folder that teaches an agent something (MCP, Skills extension; agentskills.io). */
export interface Skill {
  /** What stands at the beginning of its SKILL.md; the folder has the same name. */
  readonly frontmatter: JsonObject & { readonly name: string; readonly description: string };
  /** Where its files lie on this machine; the address ends with a slash. */
  readonly folder: URL;
  /** All of its files, SKILL.md first; each is read when somebody asks for it. */
  readonly files: readonly SkillFile[];
}

/** A skill that is loaded on first use. */
export type LazySkill = () => Promise<Skill>;

/** A skill of the server itself. */
export interface OwnSkill {
  /** The surface that it is about, without which nobody needs it. */
  readonly surface?: string;
  readonly load: LazySkill;
}
