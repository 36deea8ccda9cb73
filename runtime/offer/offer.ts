import type { LazySkill } from '#contract/skill';
import type { Admission } from '../admission/admission.ts';
import { Catalogue, type ToolFront, type ToolSource } from './catalogue.ts';
import { Changes } from './changes.ts';
import { type PromptSource, Prompts } from './prompts.ts';
import { type ResourceSource, Resources } from './resources.ts';
import { Skills, skillLibrary } from './skills.ts';

/** What a part of the server has to offer over MCP. */
export type Source = ToolSource & ResourceSource & PromptSource;

/** Tools that lead to all others, by the ids of what those are of. */
export interface LeadingTools extends ToolSource {
  readonly instructions: (sources: readonly string[]) => string;
}

export interface OfferParts {
  readonly sources: readonly Source[];
  readonly leading: LeadingTools | undefined;
  readonly skills: readonly LazySkill[];
  readonly admission: Admission;
}

/** Everything that callers are offered. */
export interface Offer {
  readonly catalogue: Catalogue;
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly skills: Skills;
  readonly changes: Changes;
  /** Load every tool, and find out that one of them cannot be offered. */
  start(): Promise<unknown>;
}

/** @throws StartError when two sources offer the same */
export function createOffer({ sources, leading, skills: lazy, admission }: OfferParts): Offer {
  const changes = new Changes();
  const skills = new Skills(lazy);
  const library = { id: 'skills', title: 'Skills', library: skillLibrary(skills) };
  const withTools = sources.filter(({ tools }) => tools.length > 0);
  const catalogue = new Catalogue(withTools, admission, changes);
  if (leading) catalogue.putInFront(frontOf(leading, withTools));
  return {
    catalogue,
    resources: new Resources([...sources, library], admission),
    prompts: new Prompts(sources, admission, changes),
    skills,
    changes,
    start: () => catalogue.loadAll(),
  };
}

function frontOf(leading: LeadingTools, sources: readonly ToolSource[]): ToolFront {
  return { ...leading, instructions: leading.instructions(sources.map(({ id }) => id)) };
}
