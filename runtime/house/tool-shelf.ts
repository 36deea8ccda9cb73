import type { CallContext, Caller } from '#contract/caller';
import type { OfferedTools, ToolQuery } from '#contract/house/offered-tools';
import type { JsonSchema } from '#contract/json';
import type { ToolDefinition, ToolResult } from '#contract/tool';
import { Call } from '../admission/call.ts';
import type { InnerCalls } from '../mcp/request/inner-calls.ts';
import type { Catalogue } from '../offer/catalogue.ts';
import type { ToolSearch } from '../search/tool-search.ts';

/** What stands behind the shelf. */
export interface Shelved {
  readonly catalogue: Pick<Catalogue, 'names' | 'find' | 'seenBy' | 'sourcesOf'>;
  readonly search: Pick<ToolSearch, 'search' | 'nearest' | 'suggest' | 'sources'>;
  readonly calls: Pick<InnerCalls, 'call'>;
}

/** So many better matches may be hidden from a caller before it finds less than there is. */
const mostHidden = 20;

type Arguments = Readonly<Record<string, unknown>>;

/** The tools for the surfaces, which are made before them; there are none before it is filled. */
export class ToolShelf implements OfferedTools {
  #shelved: Shelved | undefined;

  fill(shelved: Shelved): void {
    this.#shelved = shelved;
  }

  names(tenant: string): Iterable<string> {
    return this.#filled().catalogue.names(tenant);
  }

  sources(tenant: string): readonly string[] {
    const has = this.#sourcesOf(tenant);
    return this.#filled().search.sources.flatMap(({ id }) => (has(id) ? [id] : []));
  }

  async definition(name: string, tenant: string): Promise<ToolDefinition | undefined> {
    return (await this.#filled().catalogue.find(name, tenant))?.definition;
  }

  async wholeInput(name: string, tenant: string): Promise<JsonSchema | undefined> {
    const tool = await this.#filled().catalogue.find(name, tenant);
    return (await tool?.wholeInput?.()) ?? tool?.definition.input;
  }

  async search(question: string, query: ToolQuery): Promise<readonly ToolDefinition[]> {
    const { caller, limit, provider } = query;
    const has = this.#sourcesOf(caller.tenant);
    const wide = { limit: limit + mostHidden, provider, has };
    const found = await this.#filled().search.search(question, wide);
    const names = found.map(({ tool }) => tool);
    return (await this.#seenOf(names, caller)).slice(0, limit);
  }

  seenBy(caller: Caller, definition: ToolDefinition): ToolDefinition | undefined {
    return this.#filled().catalogue.seenBy(caller, definition);
  }

  nearest(question: string, tenant: string): Promise<readonly string[]> {
    return this.#filled().search.nearest(question, this.#sourcesOf(tenant));
  }

  async suggest(name: string, caller: Caller): Promise<readonly string[]> {
    const near = await this.#filled().search.suggest(name, this.#sourcesOf(caller.tenant));
    return (await this.#seenOf(near, caller)).map(({ name: seen }) => seen);
  }

  call(name: string, args: Arguments, context: CallContext): Promise<ToolResult> | undefined {
    return this.#filled().calls.call(name, args, context);
  }

  callApart(
    name: string,
    args: Arguments,
    context: CallContext,
    signal: AbortSignal,
  ): Promise<ToolResult> | undefined {
    return this.call(name, args, apart(context, signal));
  }

  /** The tools of these names, as far as a caller can use them or be given them. */
  async #seenOf(names: readonly string[], caller: Caller): Promise<ToolDefinition[]> {
    const found = await Promise.all(names.map((name) => this.definition(name, caller.tenant)));
    return found.flatMap((each) => (each && this.seenBy(caller, each)) ?? []);
  }

  /** Says of a source whether a tenant has it. */
  #sourcesOf(tenant: string): (source: string) => boolean {
    const own = new Set(
      this.#filled()
        .catalogue.sourcesOf(tenant)
        .map(({ id }) => id),
    );
    return (source) => own.has(source);
  }

  #filled(): Shelved {
    if (this.#shelved === undefined) throw new Error('no tools are offered yet');
    return this.#shelved;
  }
}

function apart({ caller, client, trace, http }: CallContext, signal: AbortSignal): Call {
  const call = new Call(caller, undefined, {
    client: { ...client, capabilities: {} },
    trace,
    http,
  });
  const abort = () => call.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return call;
}
