import { isObject, type JsonSchema } from '#contract/json';
import { effectOf } from '#contract/text/demands';
import type { ToolDefinition } from '#contract/tool';
import type {
  ToolDescribeResultTool,
  ToolSearchResultTool,
} from '../../../generated/surfaces/search/types.ts';

const longestDescription = 300;

/** A tool as a search shows it: enough to choose it, and mostly enough to call it. */
export function foundTool({
  name,
  description,
  input,
  annotations,
  lacks,
}: ToolDefinition): ToolSearchResultTool {
  return {
    name,
    description: clip(description),
    arguments: argumentList(input),
    effect: effectOf(annotations),
    ...(lacks && { requires_scope: [...lacks] }),
  };
}

/** A tool in full. */
export function description(
  { name, title, description, annotations, lacks }: ToolDefinition,
  inputSchema: JsonSchema,
): ToolDescribeResultTool {
  const effect = effectOf(annotations);
  const more = {
    ...(title !== undefined && { title }),
    ...(lacks && { requires_scope: [...lacks] }),
  };
  return { name, ...more, description, effect, inputSchema };
}

/** `owner, repo, title, body?` */
function argumentList({ properties, required }: JsonSchema): string {
  if (!isObject(properties)) return '';
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = Object.keys(properties);
  const [first, later] = [true, false].map((each) =>
    names.filter((name) => needed.has(name) === each),
  );
  return [...(first ?? []), ...(later ?? []).map((name) => `${name}?`)].join(', ');
}

/** As much as fits, up to the end of a sentence where there is one. */
function clip(text: string): string {
  if (text.length <= longestDescription) return text;
  const head = text.slice(0, longestDescription);
  const end = head.lastIndexOf('. ');
  return end > 0 ? head.slice(0, end + 1) : `${head}...`;
}
