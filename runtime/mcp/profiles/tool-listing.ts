import type { Price } from '#contract/operation';
import type { SchemaProfile } from '#contract/schema-profile';
import type { ToolAnnotations, ToolDefinition } from '#contract/tool';
import { portableOutput, schemaForm } from './schema-form.ts';

/** In the `_meta` of a tool: what its caller has to be given before it can call it. */
const requiresScopeKey = 'dev.agent-tool-server/requires-scope';

/** The same for what it costs, in words of our own. */
const priceKey = 'dev.agent-tool-server/price';

const exactTexts = new WeakMap<ToolDefinition, string>();

/** The entry of a tool in `tools/list` as JSON text, its schemas in the form of a profile. */
export function toolListing(definition: ToolDefinition, profile: SchemaProfile): string {
  if (profile !== 'exact') {
    const annotations = toldAnnotations(definition.annotations);
    return entryOf({ ...definition, annotations }, schemaForm(definition, profile));
  }
  let text = exactTexts.get(definition);
  if (text === undefined) {
    text = entryOf(definition, definition);
    exactTexts.set(definition, text);
  }
  return text;
}

/** The same entry for clients that understand no output schema but that of an object. */
export function objectToolListing(definition: ToolDefinition, profile: SchemaProfile): string {
  if (profile !== 'exact') return toolListing(definition, profile);
  const { input, output } = definition;
  return output && !portableOutput(output)
    ? entryOf(definition, { input })
    : toolListing(definition, profile);
}

/** What an entry tells of a tool besides its schemas. */
type Shown = Omit<ToolDefinition, 'annotations'> & {
  readonly annotations: Partial<ToolAnnotations>;
};

function entryOf(
  { name, title, description, annotations, lacks, price }: Shown,
  { input: inputSchema, output: outputSchema }: Pick<ToolDefinition, 'input' | 'output'>,
): string {
  const _meta = (lacks || price) && {
    ...(lacks && { [requiresScopeKey]: lacks }),
    ...(price && priceMarks(price)),
  };
  return JSON.stringify({
    ...{ name, title, description, inputSchema, outputSchema, annotations, _meta },
  });
}

/** Without what a hint means that is left out; clients look for the first two all the same (MCP 2026-07-28, ToolAnnotations). */
function toldAnnotations({
  idempotentHint,
  openWorldHint,
  ...first
}: ToolAnnotations): Partial<ToolAnnotations> {
  return {
    ...first,
    ...(idempotentHint && { idempotentHint }),
    ...(!openWorldHint && { openWorldHint }),
  };
}

/** What a tool costs; clients of x402 in the field look for marks of their own kind. */
function priceMarks({ amount, currency, rails, metered }: Price): object {
  return {
    [priceKey]: { amount, currency, ...(rails && { rails }), ...(metered && { metered }) },
    'agents-x402/paymentRequired': true,
    'agents-x402/priceUSD': Number(amount),
  };
}
