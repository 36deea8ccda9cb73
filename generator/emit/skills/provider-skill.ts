import type { SkillModel } from '../../model/house/skill-model.ts';
import type { ProviderModel, ToolModel } from '../../model/shape/provider-model.ts';
import { cleanText } from '../../model/texts/clean-text.ts';
import { argumentTable, listedTool, toolTable } from '../docs/docs-providers.ts';
import { code, prose } from '../docs/markdown.ts';
import { visible } from '../print/quoted.ts';
import { callSections } from './skill-sections.ts';

/** It stands in the context of every agent that might use the skill. */
const longestDescription = 400;

/** The skill of a provider: which of its tools to use when, and how. */
export function providerSkill(provider: ProviderModel): SkillModel {
  const { folder, settings, exportName, tools } = provider;
  const resources = [...new Set(tools.map(({ resource }) => resource))];
  const description = cleanText(descriptionOf(provider)) ?? '';
  const name = skillName(settings.id);
  const manifest = markdown([
    // A string of JSON is one of YAML too (YAML 1.2, 1.3).
    `---\nname: ${name}\ndescription: ${visible(JSON.stringify(description))}\n---`,
    `# The tools of ${prose(settings.title)}`,
    ...notes(provider),
    `## Choose a tool\n\n${toolTable(tools.map(listedTool))}`,
    references(resources),
    ...callSections(provider),
  ]);
  return {
    folder: `generated/providers/${settings.id}`,
    source: folder,
    exportName: providerSkillName(exportName),
    frontmatter: { name, description },
    files: [
      { path: 'SKILL.md', text: manifest },
      ...resources.map((resource) => ({
        path: referencePath(resource),
        text: referencePage(
          resource,
          tools.filter((tool) => tool.resource === resource),
        ),
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

function notes({ skill }: ProviderModel): string[] {
  const lines = (skill?.notes ?? []).map((note) => `- ${prose(note)}`);
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function references(resources: readonly string[]): string {
  const links = resources.map((resource) => `- [${resource}](${referencePath(resource)})`);
  return `When to use each, its arguments and examples:\n\n${links.join('\n')}`;
}

function referencePath(resource: string): string {
  return `references/${resource}.md`;
}

function referencePage(resource: string, tools: readonly ToolModel[]): string {
  return markdown([`# ${resource}`, ...tools.flatMap(toolBlocks)]);
}

function toolBlocks(tool: ToolModel): string[] {
  const { definition, purpose, whenToUse, arguments: parameters, examples } = tool;
  return [
    `## ${code(definition.name)}`,
    prose(purpose).replace(/\.?$/, '.'),
    ...(whenToUse === undefined ? [] : [prose(whenToUse)]),
    parameters.length === 0 ? 'No arguments.' : argumentTable(parameters),
    ...examples.map(({ arguments: args, note }) => {
      const text = `\`\`\`json\n${visible(JSON.stringify(args))}\n\`\`\``;
      return note === undefined ? text : `${prose(note)}:\n\n${text}`;
    }),
  ];
}

function markdown(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}
