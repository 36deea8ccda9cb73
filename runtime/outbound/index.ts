import type { ConnectWay } from '#contract/connect/connectable';
import { ToolError } from '#contract/errors';
import type { WholeInput } from '#contract/operation';
import type { Provider } from '#contract/provider';
import type { Tool, ToolDefinition, VendorTool } from '#contract/tool';
import type { SchemaCompiler } from '../admission/steps/schema-compiler.ts';
import { Remembered } from '../process/remembered.ts';
import { ResponseCache } from './answer/response-cache.ts';
import { AnswerRoom } from './call/answer-room.ts';
import { systemClock } from './call/clock.ts';
import { defaultLimits, type OutboundOptions } from './call/options.ts';
import { createAddressGuard } from './connection/address-guard.ts';
import type { ConnectionPools } from './connection/connection-pools.ts';
import { parseAddress } from './connection/server-address.ts';
import { checkContact } from './connection/user-agent.ts';
import { MarkdownConverter } from './content/markdown-converter.ts';
import type { Credential } from './credentials/credential.ts';
import { DigestPool } from './digest/digest-pool.ts';
import { isOptional, maySpend, withoutCredential } from './optional-credential.ts';
import { connectWays, isConnectable } from './person/connect-ways.ts';
import { PersonLinks } from './person/person-links.ts';
import { personalTool } from './person/personal-tool.ts';
import {
  createProviderLink,
  type LinkParts,
  linkWithCredential,
  type ProviderLink,
} from './request/provider-link.ts';
import { ToolLinks } from './request/tool-links.ts';
import { wholeInput } from './request/whole-input.ts';
import type { bindTool } from './vendor-tool.ts';
import type { Verification } from './verify.ts';

export type { Clock } from './call/clock.ts';
export type { OutboundLimits, OutboundOptions } from './call/options.ts';
export { createAddressGuard } from './connection/address-guard.ts';
export type { Verification } from './verify.ts';

/** The way out to the vendors. */
export interface Outbound {
  /** Make a vendor tool callable. */
  tool(provider: Provider, tool: VendorTool): Tool;
  /** The same for a tool of which its definition is known; the rest is loaded with its first call. */
  lazyTool(provider: Provider, definition: ToolDefinition, load: LoadTool): Tool;
  /** Whether a provider has the credential that it needs. */
  credential(provider: Provider): Credential['state'];
  /** Ask the vendor whether it can be reached and accepts the credential, of a person where one is given. */
  verify(provider: Provider, given?: GivenCredential): Promise<Verification>;
  /**
   * How people connect accounts of their own.
   *
   * @throws ToolError where the operator has set it up wrongly
   */
  waysToConnect(provider: Provider): readonly ConnectWay[];
  /** Let running calls finish for at most `deadlineMs`, then cut them off. */
  close(deadlineMs: number): Promise<void>;
}

/** A credential that a person has at hand, and the scheme as which it travels. */
export interface GivenCredential {
  readonly scheme: string;
  readonly token: string;
}

/**
 * Create the way out to the vendors: one for the process.
 *
 * @throws Error when an option is wrong, so that the start stops and not the first call
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const limits = { ...defaultLimits, ...options.limits };
  checkContact(options.contact);
  for (const url of options.baseUrls.values()) parseAddress(url);
  // A wrong CIDR should stop the start, not the first call.
  createAddressGuard(options.allow, false);
  const cache = new ResponseCache(limits.cacheBytes);
  const markdown = new MarkdownConverter(limits);
  const digests = new DigestPool(limits);
  const room = new AnswerRoom(limits.answersHeld * limits.responseBytes);
  const clock = options.clock ?? systemClock;
  const calls = new Calls(options.allow, limits);
  const outputs = new Remembered(loadCompiler);
  const parts: LinkParts = {
    ...{ options, limits, clock, markdown, digests, room, outputs },
    pools: () => calls.pools,
  };
  const link = linksOf(parts);
  const toolLinks = new ToolLinks(parts);
  const links = new PersonLinks({
    ...{ link, env: options.env },
    withCredential: (base, credential) => linkWithCredential(base, credential, parts),
  });
  const stateOf = (provider: Provider): Credential['state'] => {
    try {
      return link(provider).credential.state;
    } catch (error) {
      if (error instanceof ToolError) return 'missing';
      throw error;
    }
  };

  function sharedCall(provider: Provider, load: LoadTool): Tool['call'] {
    const linkOf = (tool: VendorTool) => toolLinks.of(link(provider), tool);
    const call = lazyCall(calls, load, (bind, tool) => bind(linkOf(tool), tool, cache));
    if (!isOptional(provider)) return call;
    const plain = lazyCall(calls, load, (bind, tool) =>
      bind(withoutCredential(linkOf(tool)), tool, cache),
    );
    return (args, context) =>
      maySpend(context.caller, provider) ? call(args, context) : plain(args, context);
  }

  function lazyTool(provider: Provider, definition: ToolDefinition, load: LoadTool): Tool {
    const shared = sharedCall(provider, load);
    const held: WholeInput = async () => wholeInput(await load());
    const { credentials, patienceMs = 0 } = options;
    if (!credentials || !isConnectable(provider))
      return { definition, wholeInput: held, call: shared };
    const personal = personalTool(definition, {
      ...{ credentials, provider, patienceMs, shared },
      sharedState: () => stateOf(provider),
      async own(credential) {
        const [bind, tool] = await Promise.all([calls.load(), load()]);
        return links.call(provider, credential, tool, (own) => bind(own, tool, cache));
      },
    });
    return { ...personal, wholeInput: held };
  }

  return {
    tool: (provider, tool) => lazyTool(provider, tool, async () => tool),
    lazyTool,
    credential: stateOf,
    waysToConnect: (provider) =>
      connectWays(provider, options.env, options.oauthUrls?.get(provider.id)),
    async verify(provider, given) {
      try {
        await calls.load();
        const { verifyProvider } = await import('./verify.ts');
        const chosen = given ? links.open(provider, given.scheme, given.token) : link(provider);
        return await verifyProvider(chosen, cache);
      } catch (error) {
        if (error instanceof ToolError) return { ok: false, message: error.message };
        throw error;
      }
    },
    async close(deadlineMs) {
      await calls.close(deadlineMs);
      await Promise.all([markdown.close(), digests.close()]);
    },
  };
}

/** Finds every problem, because all of them are mended at once. */
async function loadCompiler(): Promise<SchemaCompiler> {
  const { createSchemaCompiler } = await import('../admission/steps/schema-compiler.ts');
  return createSchemaCompiler({ allErrors: true });
}

type BindTool = typeof bindTool;
type LoadTool = () => Promise<VendorTool>;

/** What calls need and a start does not: half of what the server would load is behind it. */
class Calls {
  readonly #options: ConstructorParameters<typeof ConnectionPools>;
  #loading: Promise<BindTool> | undefined;
  #pools: ConnectionPools | undefined;
  #closed = false;

  constructor(...options: ConstructorParameters<typeof ConnectionPools>) {
    this.#options = options;
  }

  /** The connections of calls, which are there once what calls need is loaded. */
  get pools(): ConnectionPools {
    if (this.#pools === undefined)
      throw new Error('there are no connections before the first call');
    return this.#pools;
  }

  load(): Promise<BindTool> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async close(deadlineMs: number): Promise<void> {
    this.#closed = true;
    await this.#loading;
    await this.#pools?.close(deadlineMs);
  }

  async #load(): Promise<BindTool> {
    const [{ bindTool }, { ConnectionPools }] = await Promise.all([
      import('./vendor-tool.ts'),
      import('./connection/connection-pools.ts'),
    ]);
    this.#pools = new ConnectionPools(...this.#options);
    if (this.#closed) await this.#pools.close(0);
    return bindTool;
  }
}

/** Bind on the first call: most tools of a catalogue are never called. */
function lazyCall(
  calls: Calls,
  load: LoadTool,
  make: (bind: BindTool, tool: VendorTool) => Tool['call'],
): Tool['call'] {
  let call: Tool['call'] | undefined;
  const first: Tool['call'] = async (args, context) => {
    const [bind, tool] = await Promise.all([calls.load(), load()]);
    call ??= make(bind, tool);
    return call(args, context);
  };
  return (args, context) => (call ?? first)(args, context);
}

/** One link for each provider, made on first use. */
function linksOf(parts: LinkParts): (provider: Provider) => ProviderLink {
  const links = new Map<string, ProviderLink>();
  return (provider) => {
    const known = links.get(provider.id);
    if (known !== undefined) return known;
    const link = createProviderLink(provider, parts);
    links.set(provider.id, link);
    return link;
  };
}
