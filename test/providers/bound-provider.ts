import { randomUUID } from 'node:crypto';
import type { CallContext } from '#contract/caller';
import type { Provider } from '#contract/provider';
import type { Tool } from '#contract/tool';
import { providers } from '../../generated/providers.ts';
import { createOutbound, type OutboundLimits } from '../../runtime/outbound/index.ts';

/** Every tool of a provider, bound to a server on loopback. */
export interface BoundProvider {
  readonly provider: Provider;
  readonly tools: ReadonlyMap<string, Tool>;
  close(): Promise<void>;
}

export const providerIds = Object.keys(providers);

/** Waits between retries pass at once: what a vendor has to see is the retry, not the wait. */
const impatient = {
  now: Date.now,
  schedule(ms: number, done: () => void) {
    const timer = setTimeout(done, ms > 60 && ms <= 30_000 ? 1 : ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

/** Bind all tools of a provider to `url`, with credentials, without its limits on the rate. */
export async function bindProvider(
  id: string,
  url: string,
  limits: Partial<OutboundLimits> = {},
): Promise<BoundProvider> {
  const entry = providers[id];
  if (!entry) throw new Error(`no provider ${id}`);
  const { rate: _, ...provider } = await entry.load();
  const outbound = createOutbound({
    version: '0.0.0',
    allow: ['127.0.0.0/8'],
    env: Object.fromEntries(
      provider.auth.flatMap((auth) =>
        auth.type === 'none' || !auth.required ? [] : [[auth.env[0], `credential-of-${id}`]],
      ),
    ),
    baseUrls: new Map([[id, url]]),
    limits,
    clock: impatient,
  });
  const tools = new Map<string, Tool>();
  for (const [name, load] of Object.entries(provider.tools)) {
    const { cache: _cache, timeoutMs: _timeout, ...tool } = await load();
    tools.set(name, outbound.tool(provider, tool));
  }
  return { provider, tools, close: () => outbound.close(0) };
}

/** The context of one call by the operator. */
export function callContext(): CallContext {
  return {
    caller: {
      tenant: 'default',
      subject: 'local',
      client: 'test',
      scopes: 'all',
      transport: 'mcp',
    },
    signal: new AbortController().signal,
    client: { capabilities: {} },
    answers: { responses: {}, round: 0 },
    callId: randomUUID(),
  };
}
