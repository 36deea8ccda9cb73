import { setImmediate as turn } from 'node:timers/promises';
import type { Caller } from '#contract/caller';
import { ToolError } from '#contract/errors';
import type { OfferedTools } from '#contract/house/offered-tools';
import type { ToolForms } from '#contract/house/tool-forms';
import { nearestName } from '#contract/nearest-name';
import { schemaPart } from '#contract/schema/schema-part';
import { shortList } from '#contract/text/short-list';
import type { SearchTools } from '../../../generated/surfaces/search/tools.ts';
import type {
  ToolDescribeResult,
  ToolDescribeResultPart,
  ToolDescribeResultTool,
  ToolDescribeResultUnknownItem,
} from '../../../generated/surfaces/search/types.ts';
import { description, foundTool } from './found-tool.ts';

export interface SearchDependencies {
  readonly tools: OfferedTools;
  /** The arguments of tools as a client writes them. */
  readonly forms: ToolForms;
}

/** What one description of tools may have in all; the first tool is always described. */
const mostCharacters = 32_000;

const defaultLimit = 5;

/** What the tools of this surface do. */
export function createSearchHandlers({ tools: offered, forms }: SearchDependencies): SearchTools {
  const partOf = async (name: string, path: string, tenant: string) => {
    const schema = schemaPart((await offered.wholeInput(name, tenant)) ?? {}, path);
    if (typeof schema !== 'string') return { name, schema };
    throw new ToolError('invalid_arguments', `${name}: ${schema}`, { retryable: false });
  };

  return {
    async toolSearch({ query, limit = defaultLimit, provider: named }, { caller }) {
      const provider = named?.toLowerCase();
      const found = await offered.search(query, { limit, provider, caller });
      const tools = found.map(foundTool);
      if (tools.length > 0) return { tools };
      const nearest = await offered.nearest(query, caller.tenant);
      const hint = hintFor(provider, { query, ids: offered.sources(caller.tenant), nearest });
      return { tools, hint };
    },
    async toolDescribe({ names, path }, { client, caller }) {
      const result: Described = { tools: [], parts: [], unknown: [], omitted: [] };
      let length = 0;
      for (const [index, name] of [...new Set(names)].entries()) {
        // A schema may take a while: others have their turn after each.
        if (index > 0) await turn();
        const known = await offered.definition(name, caller.tenant);
        const definition = known && offered.seenBy(caller, known);
        if (!definition) {
          result.unknown.push({ name, suggestions: await offered.suggest(name, caller) });
          continue;
        }
        const isFirst = result.tools.length + result.parts.length === 0;
        const isFull = () => length > mostCharacters && !isFirst;
        // Once there is no room, nothing is made that would be left out.
        if (isFull()) {
          result.omitted.push(name);
          continue;
        }
        const made =
          path === undefined
            ? description(definition, forms.schemaFor(known, client))
            : await partOf(name, path, caller.tenant);
        length += JSON.stringify(made).length;
        if (isFull()) result.omitted.push(name);
        else if ('schema' in made) result.parts.push(made);
        else result.tools.push(made);
      }
      return withoutEmpty(result);
    },
    async toolCall({ name, arguments: args = {} }, context) {
      const { caller } = context;
      const definition = await offered.definition(name, caller.tenant);
      if (!definition) return unknownTool(name, offered, caller);
      return forms.readFor(
        { definition, args },
        context.client,
        (exact) => offered.call(name, exact, context) ?? unknownTool(name, offered, caller),
      );
    },
  };
}

interface Described {
  readonly tools: ToolDescribeResultTool[];
  readonly parts: ToolDescribeResultPart[];
  readonly unknown: ToolDescribeResultUnknownItem[];
  readonly omitted: string[];
}

function withoutEmpty({ tools, parts, unknown, omitted }: Described): ToolDescribeResult {
  return {
    tools,
    ...(parts.length > 0 && { parts }),
    ...(unknown.length > 0 && { unknown }),
    ...(omitted.length > 0 && { omitted }),
  };
}

interface Known {
  readonly query: string;
  /** Of all vendors. */
  readonly ids: readonly string[];
  readonly nearest: readonly string[];
}

/** Letters that English words do not have. */
const otherLetters = /(?=\p{L})[^a-z]/iu;

function hintFor(provider: string | undefined, { query, ids, nearest }: Known): string {
  if (provider === undefined || ids.includes(provider)) {
    const near = nearest.length === 0 ? '' : ` Nearest to it are tools of ${nearest.join(', ')}.`;
    const why = otherLetters.test(query)
      ? 'the search knows the words of the descriptions, which are English as a rule: search in English.'
      : 'no tool here does that.';
    return `Nothing fits: ${why}${near} Where you know one that could, search with what it does (list, create, search) and the vendor, one of: ${shortList(ids)}; for general knowledge, search for an encyclopedia.`;
  }
  const near = nearestName(provider, ids);
  return near === undefined
    ? 'There is no such vendor; leave provider out to search all of them.'
    : `There is no such vendor; did you mean ${near}?`;
}

async function unknownTool(name: string, offered: OfferedTools, caller: Caller): Promise<never> {
  const suggestions = await offered.suggest(name, caller);
  const meant = suggestions.length > 0 ? `; did you mean ${suggestions.join(' or ')}?` : '';
  const text = `there is no tool called ${JSON.stringify(name)} that can be called here${meant}`;
  throw new ToolError('invalid_arguments', text, { retryable: false });
}
