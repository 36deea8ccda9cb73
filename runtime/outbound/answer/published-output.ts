import type { ToolResult, VendorTool } from '#contract/tool';
import type { ProviderLink } from '../request/provider-link.ts';
import { type Misfit, OutputCheck, takesAnyObject } from './output-check.ts';

/** What a client finds in `_meta`, and whoever reads only data in the data. */
const misfitKey = 'dev.agent-tool-server/not-as-described';
const misfitMember = 'not_as_described';

/**
 * Keeps the results of one tool to the output schema that its clients are shown: the official
 * clients throw away a whole answer of which one member has another type (MCP 2026-07-28, tools/call).
 */
export class PublishedOutput {
  readonly #link: ProviderLink;
  readonly #tool: VendorTool;
  #check: OutputCheck | undefined;

  private constructor(link: ProviderLink, tool: VendorTool) {
    this.#link = link;
    this.#tool = tool;
  }

  /** Nothing for a tool whose every result is as it says. */
  static of(link: ProviderLink, tool: VendorTool): PublishedOutput | undefined {
    const isSure = tool.output === undefined || takesAnyObject(tool.output);
    return isSure ? undefined : new PublishedOutput(link, tool);
  }

  /** The result, or what of it is as the schema says, with a mark and the whole of it as text. */
  fitted(result: ToolResult): ToolResult | Promise<ToolResult> {
    return this.#check ? this.#checked(result, this.#check) : this.#first(result);
  }

  async #first(result: ToolResult): Promise<ToolResult> {
    const compiler = await this.#link.outputs.get();
    this.#check ??= new OutputCheck(this.#tool.output ?? {}, compiler);
    return this.#checked(result, this.#check);
  }

  #checked(result: ToolResult, check: OutputCheck): ToolResult {
    const misfit = check.misfit(result.structuredContent);
    if (!misfit) return result;
    this.#link.onMisfit(this.#tool.name, misfit.places);
    return marked(result, misfit, this.#link.provider.title);
  }
}

function marked(result: ToolResult, { places, rest }: Misfit, title: string): ToolResult {
  const { content, _meta, structuredContent: _, ...others } = result;
  const where =
    rest === undefined ? 'There is no structured content' : 'Structured content has null there';
  const text = `${title} has not answered as this tool describes: ${places.join('; ')}. ${where}; what came stands whole in the text.`;
  return {
    ...others,
    content: [...content, { type: 'text', text }],
    ...(rest && { structuredContent: { ...rest, [misfitMember]: places } }),
    _meta: { ..._meta, [misfitKey]: places },
  };
}
