import { isObject, type JsonSchema } from '#contract/json';
import { effectOf } from '#contract/text/demands';
import type { ToolDefinition } from '#contract/tool';
import type { ToolModel } from '../../model/shape/provider-model.ts';
import { joined, Printed, printed } from '../print/printed.ts';
import { visible } from '../print/quoted.ts';
import type { TemplateData } from '../templates/render.ts';
import { furtherDemands } from './demands.ts';
import { code, maybeProse, prose, sentence } from './markdown.ts';

/** A row of a table of tools: what each does, whether it changes anything, and the scopes it asks for. */
export function toolRow(
  { name, annotations, access }: Pick<ToolDefinition, 'name' | 'annotations' | 'access'>,
  purpose: string,
): TemplateData {
  return {
    name: code(name),
    purpose: prose(purpose),
    effect: prose(effectOf(annotations)),
    scopes: access === 'public' ? printed`none` : joined(access.map(code), ', '),
  };
}

/** What a page says of a tool of a vendor. */
export function vendorTool(tool: ToolModel): TemplateData {
  const { definition, purpose, whenToUse, arguments: all, origin, examples } = tool;
  return {
    name: code(definition.name),
    purpose: joined([sentence(purpose), ...furtherDemands(definition)], ' '),
    whenToUse: maybeProse(whenToUse),
    request: code(`${origin.method} ${origin.path}`),
    arguments: all.map((argument) => argumentRow(argument.name, argument)),
    examples: examples.map(({ arguments: args, note }) => ({
      note: maybeProse(note),
      // One line of JSON: no fence can end in it.
      json: new Printed(visible(JSON.stringify(args))),
    })),
  };
}

/** What a table of arguments says of one. */
export function argumentRow(
  name: string,
  argument: {
    readonly schema: JsonSchema;
    readonly required: boolean;
    readonly default?: unknown;
    readonly description?: string;
  },
): TemplateData {
  const { schema, required, default: fallback, description } = argument;
  return {
    name: code(name),
    type: prose(kind(schema)),
    required: required ? printed`yes` : printed``,
    default: fallback === undefined ? printed`` : code(JSON.stringify(fallback)),
    meaning: prose(description ?? ''),
  };
}

/** The arguments that a schema of an object allows. */
export function argumentRows({ properties, required }: JsonSchema): TemplateData[] {
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([name, value]) => {
    const schema = isObject(value) ? value : {};
    const { description } = schema;
    return argumentRow(name, {
      schema,
      required: needed.includes(name),
      default: schema['default'],
      ...(typeof description === 'string' && { description }),
    });
  });
}

/** What kind of value a schema wants, in a few words. */
function kind(schema: JsonSchema): string {
  const { type, items } = schema;
  const choices = schema['enum'];
  if (Array.isArray(choices) && choices.length <= 12) {
    return choices
      .map((choice) => (typeof choice === 'string' ? choice : JSON.stringify(choice)))
      .join(', ');
  }
  if (type === 'array' && isObject(items)) return `array of ${kind(items)}`;
  if (typeof type === 'string') return type;
  return Array.isArray(type) ? type.join(' or ') : 'any';
}
