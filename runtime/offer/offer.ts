import type { Admission } from '../admission/admission.ts';
import { Catalogue, type ToolFront, type ToolSource } from './catalogue.ts';
import { Changes } from './changes.ts';
import { type PromptSource, Prompts } from './prompts.ts';
import { type ResourceSource, Resources } from './resources.ts';
import { type OfferedSkill, Skills, skillLibrary } from './skills.ts';
import type { TenantSources } from './tenant-sources.ts';

/** What a part of the server has to offer over MCP. */
export type Source = ToolSource & ResourceSource & PromptSource;

/** Tools that lead to all others, by the ids of what those are of. */
export interface LeadingTools extends ToolSource {
  readonly instructions: (sources: readonly string[]) => string;
}

export interface OfferParts {
  readonly sources: readonly Source[];
  readonly leading: LeadingTools | undefined;
  readonly skills: readonly OfferedSkill[];
  readonly admission: Admission;
  /** Of which sources each tenant has the tools and skills. */
  readonly tenants: TenantSources;
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
export function createOffer(parts: OfferParts): Offer {
  const { sources, leading, admission, tenants } = parts;
  const changes = new Changes();
  const skills = new Skills(parts.skills, tenants);
  const library = { id: 'skills', title: 'Skills', library: skillLibrary(skills) };
  const withTools = sources.filter(({ tools }) => tools.length > 0);
  const catalogue = new Catalogue(withTools, admission, changes, tenants);
  if (leading) catalogue.putInFront(frontOf(leading, withTools, tenants));
  return {
    catalogue,
    resources: new Resources([...sources, library], admission, tenants),
    prompts: new Prompts(sources, admission, changes),
    skills,
    changes,
    start: () => catalogue.loadAll(),
  };
}

function frontOf(
  leading: LeadingTools,
  sources: readonly ToolSource[],
  tenants: TenantSources,
): ToolFront {
  const ids = sources.map(({ id }) => id);
  return {
    ...leading,
    instructions: (tenant) => leading.instructions(ids.filter((id) => tenants.has(tenant, id))),
  };
}
