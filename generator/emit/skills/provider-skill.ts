import type { ProviderRate } from '#contract/provider';
import type { SkillModel } from '../../model/house/skill-model.ts';
import type { ProviderModel, ToolModel } from '../../model/shape/provider-model.ts';
import { cleanText } from '../../model/texts/clean-text.ts';
import { code, markdown, prose } from '../docs/markdown.ts';
import { toolRow, vendorTool } from '../docs/tool-page.ts';
import { joined, numeral, Printed, plain, printed } from '../print/printed.ts';
import { visible } from '../print/quoted.ts';
import type { TemplateData } from '../templates/render.ts';

/** It stands in the context of every agent that might use the skill. */
const longestDescription = 400;

/** The skill of a provider: which of its tools to use when, and how. */
export function providerSkill(provider: ProviderModel): SkillModel {
  const { folder, settings, exportName, tools } = provider;
  const resources = [...new Set(tools.map(({ resource }) => resource))];
  const description = cleanText(descriptionOf(provider)) ?? '';
  const name = skillName(settings.id);
  const references = resources.map((resource) => ({
    name: plain(resource),
    path: plain(referencePath(resource)),
  }));
  const manifest = markdown('skill', {
    name: plain(name),
    // A string of JSON is one of YAML too (YAML 1.2, 1.3).
    description: new Printed(visible(JSON.stringify(description))),
    title: prose(settings.title),
    notes: (provider.skill?.notes ?? []).map(prose),
    tools: tools.map(({ definition, purpose }) => toolRow(definition, purpose)),
    references,
    ...whatToKnow(provider),
  });
  return {
    folder: `generated/providers/${settings.id}`,
    source: folder,
    exportName: providerSkillName(exportName),
    frontmatter: { name, description },
    files: [
      { path: 'SKILL.md', text: manifest },
      ...resources.map((resource) => ({
        path: referencePath(resource),
        text: markdown('skill-reference', {
          resource: plain(resource),
          tools: tools
            .filter((tool) => tool.resource === resource)
            .map((tool) => ({ ...vendorTool(tool), request: undefined })),
        }),
      })),
    ],
  };
}

/** The name of the constant that holds the skill of a provider. */
export function providerSkillName(exportName: string): string {
  return `${exportName}Skill`;
}

/** Names of skills know no underscores (agentskills.io, name). */
function skillName(id: string): string {
  return `${id.replace(/_+/g, '-').replace(/-$/, '')}-tools`;
}

/** What the curation says; without it, what the tools are for, as many of them as there is room. */
function descriptionOf({ settings, skill, tools }: ProviderModel): string {
  if (skill?.description !== undefined) return skill.description;
  const [first = '', ...others] = tools.map(({ purpose }) => lowerFirst(purpose));
  let text = `How to use the ${settings.title} tools. Use it to ${first}`;
  for (const purpose of others) {
    if (text.length + purpose.length > longestDescription) return `${text}; and more.`;
    text += `; ${purpose}`;
  }
  return `${text}.`;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

function referencePath(resource: string): string {
  return `references/${resource}.md`;
}

/** What somebody who calls the tools of a provider should know besides the tools themselves. */
function whatToKnow({ settings, tools }: ProviderModel): TemplateData {
  const scopes = new Set(tools.flatMap(({ definition: { access } }) => access));
  scopes.delete('public');
  const writing = tools.filter(({ definition }) => !definition.annotations.readOnlyHint);
  const named = (isOne: (tool: ToolModel) => unknown, some = tools) =>
    names(some.filter(isOne), tools);
  return {
    hasCredential: settings.auth.some(({ type }) => type !== 'none'),
    credentialRequired: settings.auth.every((scheme) => scheme.type !== 'none' && scheme.required),
    scopes: joined([...scopes].map(code), ', '),
    manyScopes: scopes.size > 1,
    paged: named(({ behaviour }) => behaviour.paging),
    sliced: named(({ behaviour }) => behaviour.response?.slice),
    writing: names(writing, tools),
    deleting: named(({ definition }) => definition.annotations.destructiveHint, writing),
    asking: named(({ definition }) => definition.confirm, writing),
    keyed: named(({ behaviour: { vendorKey } }) => vendorKey && !vendorKey.onlyNames, writing),
    foreign: named(({ behaviour }) => behaviour.response?.untrusted),
    pace: settings.rate && pace(settings.rate),
  };
}

/** The tools by their names; nothing where there are none. */
function names(some: readonly ToolModel[], all: readonly ToolModel[]): Printed | undefined {
  if (some.length === 0) return undefined;
  if (some.length === all.length && some.length > 1) return printed`all tools`;
  return joined(
    some.map(({ definition }) => code(definition.name)),
    ', ',
  );
}

function pace({ requests, perMs }: ProviderRate): Printed {
  const noun = requests === 1 ? printed`request` : printed`requests`;
  const seconds = perMs / 1000;
  const time = seconds === 1 ? printed`a second` : printed`in ${numeral(seconds)} s`;
  return printed`${numeral(requests)} ${noun} ${time}`;
}
