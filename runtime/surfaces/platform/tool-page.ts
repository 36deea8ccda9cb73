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

function factsOf(definition: ToolDefinition): string[] {
  const { annotations, access, limit, price, confirm, task, audit, deprecated } = definition;
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations;
  const adds = destructiveHint ? 'It overwrites or deletes.' : 'It adds something.';
  const repeats = idempotentHint ? ' Calling it again changes nothing more.' : '';
  return [
    readOnlyHint ? 'It only reads.' : adds + repeats,
    access === 'public' ? 'Anybody may call it.' : `It needs ${access.map(quoted).join(' and ')}.`,
    ...(limit ? [`At most ${limit.requests} calls in ${limit.perMs / 1000} s per caller.`] : []),
    ...(price ? [`A call costs ${price.amount} ${price.currency}.`] : []),
    ...(confirm ? ['A person has to agree before it runs.'] : []),
    ...(task ? [`It ${task === 'required' ? 'goes' : 'may go'} on as a task.`] : []),
    ...(audit ? ['Calls are written to the audit log.'] : []),
    ...(deprecated ? ['It is deprecated.'] : []),
  ];
}

function schemaBlock(schema: object): string {
  // Indented text in quotes: no line of it can end the block.
  return `\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\``;
}

function quoted(scope: string): string {
  return `\`${scope}\``;
}
