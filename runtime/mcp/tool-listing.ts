import type { ToolDefinition } from '#contract/tool';

const texts = new WeakMap<ToolDefinition, string>();

/** The entry of a tool in `tools/list`, as JSON text that is made once. */
export function toolListing(definition: ToolDefinition): string {
  let text = texts.get(definition);
  if (text === undefined) {
    text = entryOf(definition, definition.output);
    texts.set(definition, text);
  }
  return text;
}

/** The same entry for clients that understand no output schema but that of an object. */
export function objectToolListing(definition: ToolDefinition): string {
  const { output } = definition;
  const speaksOfObject = output === undefined || output['type'] === 'object';
  return speaksOfObject ? toolListing(definition) : entryOf(definition, undefined);
}

function entryOf(definition: ToolDefinition, outputSchema: ToolDefinition['output']): string {
  const { name, title, description, input, annotations } = definition;
  return JSON.stringify({
    name,
    title,
    description,
    inputSchema: input,
    outputSchema,
    annotations,
  });
}
