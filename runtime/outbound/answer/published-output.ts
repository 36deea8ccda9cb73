import { isObject } from '#contract/json';
import type { ToolResult, VendorTool } from '#contract/tool';
import type { ProviderLink } from '../request/provider-link.ts';
import { oddForm } from './answer-form.ts';
import { type Misfit, OutputCheck, takesAnyObject } from './output-check.ts';
import type { Reading } from './vendor-reader.ts';

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
    const isSure = !hasOutput(tool) && tool.response?.types === undefined;
    return isSure ? undefined : new PublishedOutput(link, tool);
  }

  /**
   * The result of what was read, or what of it is as the schema says, with a mark and the whole of it
   * as text.
   */
  fitted(result: ToolResult, reading: Reading): ToolResult | Promise<ToolResult> {
    const form = this.#oddForm(reading);
    if (!hasOutput(this.#tool)) return this.#told(result, form);
    return this.#check ? this.#checked(result, form, this.#check) : this.#first(result, form);
  }

  async #first(result: ToolResult, form: string | undefined): Promise<ToolResult> {
    const compiler = await this.#link.outputs.get();
    this.#check ??= new OutputCheck(this.#tool.output ?? {}, compiler);
    return this.#checked(result, form, this.#check);
  }

  #checked(result: ToolResult, form: string | undefined, check: OutputCheck): ToolResult {
    const { structuredContent } = result;
    const { value, misfit } = check.held(structuredContent);
    const isSame = value === structuredContent || !isObject(value);
    return this.#told(isSame ? result : { ...result, structuredContent: value }, form, misfit);
  }

  #told(result: ToolResult, form: string | undefined, found?: Misfit): ToolResult {
    const { title } = this.#link.provider;
    if (!found && form === undefined) return result;
    const places = [form ?? [], found?.places ?? []].flat();
    this.#link.onMisfit(this.#tool.name, places);
    if (found) return marked(result, { ...found, places }, title);
    const { structuredContent } = result;
    const rest = isObject(structuredContent) ? structuredContent : undefined;
    return marked(result, { places, rest }, title);
  }

  #oddForm(reading: Reading): string | undefined {
    const { emptyStatuses } = this.#link.provider.errors ?? {};
    const isNothing = emptyStatuses?.includes(reading.status) === true;
    return isNothing ? undefined : oddForm(reading, this.#tool.response);
  }
}

function hasOutput({ output }: VendorTool): boolean {
  return output !== undefined && !takesAnyObject(output);
}

function marked(result: ToolResult, { places, rest }: Misfit, title: string): ToolResult {
  const { content, _meta, structuredContent, ...others } = result;
  const isWhole = rest !== undefined && rest === structuredContent;
  const shown = isWhole ? 'is an object all the same' : 'has null there';
  const where =
    rest === undefined ? 'There is no structured content' : `Structured content ${shown}`;
  const place = content[0]?.type === 'text' ? 'in the text' : 'beside this';
  const text = `${title} has not answered as this tool describes: ${places.join('; ')}. ${where}; what came stands ${place}.`;
  return {
    ...others,
    content: [...content, { type: 'text', text }],
    ...(rest && { structuredContent: { ...rest, [misfitMember]: places } }),
    _meta: { ..._meta, [misfitKey]: places },
  };
}
