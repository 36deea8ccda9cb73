import { type Effect, effectOf, furtherDemands } from '#contract/text/demands';
import type { ToolDefinition } from '#contract/tool';

/** Everything that the server says of a tool, for somebody who reads before calling. */
export function toolPage(definition: ToolDefinition): string {
  const { name, title, description, input, output } = definition;
  const blocks = [
    `# ${title ?? name}`,
    `\`${name}\``,
    description,
    factsOf(definition)
      .map((fact) => `- ${fact}`)
      .join('\n'),
    `## Arguments\n\n${schemaBlock(input)}`,
    ...(output ? [`## Result\n\n${schemaBlock(output)}`] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const effects: Readonly<Record<Effect, string>> = {
  reads: 'It only reads.',
  adds: 'It adds something.',
  'overwrites or deletes': 'It overwrites or deletes.',
};

function factsOf(definition: ToolDefinition): string[] {
  const { annotations, access, deprecated } = definition;
  const { readOnlyHint, idempotentHint } = annotations;
  const repeats = idempotentHint && !readOnlyHint ? ' Calling it again changes nothing more.' : '';
  return [
    effects[effectOf(annotations)] + repeats,
    access === 'public' ? 'Anybody may call it.' : `It needs ${access.map(asCode).join(' and ')}.`,
    ...furtherDemands(definition),
    ...(deprecated ? ['It is deprecated.'] : []),
  ];
}

function schemaBlock(schema: object): string {
  // Indented text in quotes: no line of it can end the block.
  return `\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\``;
}

function asCode(scope: string): string {
  return `\`${scope}\``;
}
