import type { CallContext } from '#contract/caller';
import { ToolError } from '#contract/errors';
import type { ToolForms } from '#contract/house/tool-forms';
import { nearestName } from '#contract/nearest-name';
import type { ToolDefinition, ToolResult } from '#contract/tool';
import type { SearchTools } from '../../../generated/surfaces/search/tools.ts';
import type {
  ToolDescribeResult,
  ToolDescribeResultTool,
  ToolDescribeResultUnknownItem,
} from '../../../generated/surfaces/search/types.ts';
import type { Catalogue } from '../../offer/catalogue.ts';
import { shortList } from '../../search/short-list.ts';
import type { ToolSearch } from '../../search/tool-search.ts';
import { description, foundTool } from './found-tool.ts';

export interface SearchDependencies {
  readonly catalogue: Pick<Catalogue, 'find'>;
  readonly search: ToolSearch;
  /** Runs a tool with everything that stands before it; nothing where there is none of this name. */
  readonly calls: {
    call(
      name: string,
      args: Readonly<Record<string, unknown>>,
      context: CallContext,
    ): Promise<ToolResult> | undefined;
  };
  /** The arguments of tools as a client writes them. */
  readonly forms: ToolForms;
}

/** What one description of tools may have in all; the first tool is always described. */
const mostCharacters = 32_000;

const defaultLimit = 5;

/** What the tools of this surface do. */
export function createSearchHandlers(dependencies: SearchDependencies): SearchTools {
  const { catalogue, search, calls, forms } = dependencies;

  async function definitionOf(name: string): Promise<ToolDefinition | undefined> {
    return (await catalogue.find(name))?.definition;
  }

  return {
    async toolSearch({ query, limit = defaultLimit, provider: named }) {
      const provider = named?.toLowerCase();
      const found = await search.search(query, { limit, provider });
      const definitions = await Promise.all(found.map(({ tool }) => definitionOf(tool)));
      const tools = definitions.flatMap((definition) => (definition ? foundTool(definition) : []));
      return tools.length > 0 ? { tools } : { tools, hint: hintFor(provider, search) };
    },
    async toolDescribe({ names }, { client }) {
      const result: Described = { tools: [], unknown: [], omitted: [] };
      let length = 0;
      for (const name of new Set(names)) {
        const definition = await definitionOf(name);
        if (!definition) {
          result.unknown.push({ name, suggestions: await search.suggest(name) });
          continue;
        }
        const tool = description(definition, forms.schemaFor(definition, client));
        length += JSON.stringify(tool).length;
        if (length <= mostCharacters || result.tools.length === 0) result.tools.push(tool);
        else result.omitted.push(name);
      }
      return withoutEmpty(result);
    },
    async toolCall({ name, arguments: args = {} }, context) {
      const definition = await definitionOf(name);
      if (!definition) return unknownTool(name, search);
      return forms.readFor(
        { definition, args },
        context.client,
        (exact) => calls.call(name, exact, context) ?? unknownTool(name, search),
      );
    },
  };
}

interface Described {
  readonly tools: ToolDescribeResultTool[];
  readonly unknown: ToolDescribeResultUnknownItem[];
  readonly omitted: string[];
}

function withoutEmpty({ tools, unknown, omitted }: Described): ToolDescribeResult {
  return {
    tools,
    ...(unknown.length > 0 && { unknown }),
    ...(omitted.length > 0 && { omitted }),
  };
}

function hintFor(provider: string | undefined, { sources }: ToolSearch): string {
  const ids = sources.map(({ id }) => id);
  if (provider === undefined || ids.includes(provider)) {
    const vendors = shortList(ids);
    return `No tool has to do with these words. Search again with what the tool does (list, create, search) and the vendor, one of: ${vendors}; for general knowledge, search for an encyclopedia.`;
  }
  const near = nearestName(provider, ids);
  return near === undefined
    ? 'There is no such vendor; leave provider out to search all of them.'
    : `There is no such vendor; did you mean ${near}?`;
}

async function unknownTool(name: string, search: ToolSearch): Promise<never> {
  const suggestions = await search.suggest(name);
  const meant = suggestions.length > 0 ? `; did you mean ${suggestions.join(' or ')}?` : '';
  const text = `there is no tool called ${JSON.stringify(name)} that can be called here${meant}`;
  throw new ToolError('invalid_arguments', text, { retryable: false });
}
