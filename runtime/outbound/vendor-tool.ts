import { ToolError } from '#contract/errors';
import type { ToolRequest } from '#contract/request';
import { withPlaces } from '#contract/text/refused-value';
import type { Tool, VendorTool } from '#contract/tool';
import type { ReadItem } from './answer/follow.ts';
import { Presenter } from './answer/presenter.ts';
import { PublishedOutput } from './answer/published-output.ts';
import type { ResponseCache } from './answer/response-cache.ts';
import { withHeaders } from './answer/told-headers.ts';
import { VendorReader } from './answer/vendor-reader.ts';
import { CallLife } from './call/call-life.ts';
import { CallProgress } from './call/call-progress.ts';
import { isRefusal } from './call/retry.ts';
import { locate } from './connection/server-address.ts';
import { type PagePosition, readPosition } from './content/page-position.ts';
import { variablesText } from './credentials/companions.ts';
import type { Wanted } from './digest/digest.ts';
import { type Place, within } from './digest/place.ts';
import { NestedDigits } from './request/nested-digits.ts';
import type { ProviderLink } from './request/provider-link.ts';
import { requireKept } from './request/rounded-numbers.ts';
import { wholeInput } from './request/whole-input.ts';

/** Make a vendor tool callable. */
export function bindTool(link: ProviderLink, tool: VendorTool, cache: ResponseCache): Tool['call'] {
  const reader = new VendorReader(link, tool, cache);
  const presenter = new Presenter(link, tool);
  const output = PublishedOutput.of(link, tool);
  const timeoutMs = tool.timeoutMs ?? link.limits.timeoutMs;
  let digits: NestedDigits | undefined;
  return async (args, context) => {
    const { progress: report, trace } = context;
    requireCredential(link);
    const progress = report && new CallProgress(report, link.provider.title, link.clock);
    const life = new CallLife({ call: context, progress, trace }, timeoutMs, link.clock);
    try {
      const position = readPosition(args, tool);
      // The arguments satisfy the tool's input schema, which the builder's type was made from.
      const input = (await wholeInput(tool)) ?? tool.input;
      requireKept(tool.name, input, position.args);
      digits ??= new NestedDigits(input);
      const request = tool.request(digits.exact(position.args) as never);
      const page = (): Wanted => pageAt(position, placeOf(link, request));
      const reading = await reader.read(request, page, life, context);
      const read: ReadItem = async (path) =>
        presenter.item(await reader.read(followed(request, path), anItem, life, context));
      const continues = (address: string) => within(placeOf(link, request), address);
      const takes = (cursor: string) => takesCursor(tool, { ...args, cursor });
      const result = await presenter.present(reading, { position, continues, takes, read, life });
      const fitted = output ? await output.fitted(result, reading) : result;
      return tool.response?.headers ? withHeaders(fitted, reading, link, tool) : fitted;
    } catch (error) {
      throw named(withPlaces(error, tool.name, args), link, reader.mayBeRepeated(context));
    } finally {
      life.close();
    }
  };
}

/** Whether a tool goes on with a cursor: one that it would refuse must not be given to anybody. */
function takesCursor(tool: VendorTool, args: PagePosition['args']): boolean {
  try {
    tool.request(readPosition(args, tool).args as never);
    return true;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

/** @throws ToolError `missing_credential` */
export function requireCredential({ credential, provider }: ProviderLink): void {
  if (credential.state !== 'missing') return;
  const names = variablesText(credential.variables, credential.besides ?? []);
  throw new ToolError('missing_credential', `${provider.title} needs a credential: set ${names}`, {
    provider: provider.id,
    retryable: false,
    docs: provider.homepage,
  });
}

function followed({ server }: ToolRequest, path: ToolRequest['path']): ToolRequest {
  return { method: 'GET', path, ...(server === undefined ? {} : { server }) };
}

const anItem = (): Wanted => ({ kind: 'item' });

/** What is wanted of a large answer; of the arguments, only the part of a text matters to it. */
function pageAt(position: PagePosition, place: Place | undefined): Wanted {
  const { offset } = position.args;
  return { kind: 'page', position: { ...position, args: { offset } }, place };
}

/** The place that a request reads from. */
function placeOf(link: ProviderLink, request: ToolRequest): Place | undefined {
  const server = link.servers.get(request.server ?? link.provider.servers[0].id);
  if (server === undefined) return undefined;
  const hidden = Object.keys(link.credential.query);
  return { url: locate(server, request.path).href, path: request.path, hidden };
}

/** After these, what was asked for may have been done, unless the vendor has refused it. */
const unknownEnds: ReadonlySet<string> = new Set(['upstream_error', 'upstream_timeout']);

/** Name the provider in every error, and say whether the call may be made again. */
function named(error: unknown, { provider, scrub }: ProviderLink, mayBeRepeated: boolean): unknown {
  if (!(error instanceof ToolError)) return error;
  const { code, message, detail, cause } = error;
  const mayBeDone = unknownEnds.has(code) && !isRefusal(code, detail);
  if (detail.provider === undefined) {
    const retryable = code === 'upstream_timeout' && mayBeRepeated;
    // What others wrote may repeat what was sent.
    const told = detail.untrusted === true ? scrub(message) : message;
    return new ToolError(code, told, { retryable, ...detail, provider: provider.id }, cause);
  }
  if (mayBeRepeated || !mayBeDone || detail.retryable !== true) return error;
  return new ToolError(code, message, { ...detail, retryable: false }, cause);
}
