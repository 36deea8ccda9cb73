import { ToolError } from '#contract/errors';
import type { Provider } from '#contract/provider';
import type { Tool, VendorTool } from '#contract/tool';
import { ResponseCache } from './answer/response-cache.ts';
import { systemClock } from './call/clock.ts';
import { defaultLimits, type OutboundOptions } from './call/options.ts';
import { ConnectionPools } from './connection/connection-pools.ts';
import { parseAddress } from './connection/server-address.ts';
import { checkContact } from './connection/user-agent.ts';
import { MarkdownConverter } from './content/markdown-converter.ts';
import type { Credential } from './credentials/credential.ts';
import { isOptional, maySpend, withoutCredential } from './optional-credential.ts';
import { createProviderLink, type LinkParts, type ProviderLink } from './request/provider-link.ts';
import { bindTool } from './vendor-tool.ts';
import { type Verification, verifyProvider } from './verify.ts';

export type { Clock } from './call/clock.ts';
export type { OutboundLimits, OutboundOptions } from './call/options.ts';
export type { Verification } from './verify.ts';

/** The way out to the vendors. */
export interface Outbound {
  /** Make a vendor tool callable. */
  tool(provider: Provider, tool: VendorTool): Tool;
  /** Whether a provider has the credential that it needs. */
  credential(provider: Provider): Credential['state'];
  /** Ask the vendor whether it can be reached and accepts the credential. */
  verify(provider: Provider): Promise<Verification>;
  /** Let running calls finish for at most `deadlineMs`, then cut them off. */
  close(deadlineMs: number): Promise<void>;
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
  const pools = new ConnectionPools(options.allow, limits);
  const cache = new ResponseCache(limits.cacheBytes);
  const markdown = new MarkdownConverter(limits);
  const clock = options.clock ?? systemClock;
  const link = linksOf({ options, limits, clock, pools, markdown });
  return {
    tool(provider, tool) {
      const call = lazyCall(() => bindTool(link(provider), tool, cache));
      if (!isOptional(provider)) return { definition: tool, call };
      const plain = lazyCall(() => bindTool(withoutCredential(link(provider)), tool, cache));
      return {
        definition: tool,
        call: (args, context) =>
          maySpend(context.caller, provider) ? call(args, context) : plain(args, context),
      };
    },
    credential(provider) {
      try {
        return link(provider).credential.state;
      } catch (error) {
        if (error instanceof ToolError) return 'missing';
        throw error;
      }
    },
    async verify(provider) {
      try {
        return await verifyProvider(link(provider), cache);
      } catch (error) {
        if (error instanceof ToolError) return { ok: false, message: error.message };
        throw error;
      }
    },
    async close(deadlineMs) {
      await pools.close(deadlineMs);
      await markdown.close();
    },
  };
}

/** Bind on the first call: most tools of a catalogue are never called. */
function lazyCall(bind: () => Tool['call']): Tool['call'] {
  let call: Tool['call'] | undefined;
  return async (args, context) => {
    call ??= bind();
    return call(args, context);
  };
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
