import { randomUUID } from 'node:crypto';
import { ToolError } from '#contract/errors';
import type { SafePath } from '#contract/path';
import type { Provider } from '#contract/provider';
import type { ToolRequest } from '#contract/request';
import type { VendorTool } from '#contract/tool';
import { CallLife } from './call-life.ts';
import { baseHeaders, encodeRequest } from './outgoing.ts';
import type { ProviderLink } from './provider-link.ts';
import type { ResponseCache } from './response-cache.ts';
import { transmit } from './transmit.ts';
import { VendorReader } from './vendor-reader.ts';
import { requireCredential } from './vendor-tool.ts';

/** What a check of a provider found. */
export interface Verification {
  readonly ok: boolean;
  /** The vendor's HTTP status, if it answered. */
  readonly status?: number | undefined;
  readonly message: string;
}

/** Ask a vendor whether it can be reached and accepts the credential. */
export async function verifyProvider(
  link: ProviderLink,
  cache: ResponseCache,
): Promise<Verification> {
  const life = new CallLife(new AbortController().signal, link.limits.timeoutMs, link.clock);
  try {
    requireCredential(link);
    return await check(link, cache, life);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { ok: false, status: error.detail.httpStatus, message: error.message };
  } finally {
    life.close();
  }
}

async function check(
  link: ProviderLink,
  cache: ResponseCache,
  life: CallLife,
): Promise<Verification> {
  const { verify } = link.provider;
  const { tool, request } = await verifyingCall(link.provider);
  if (verify === undefined) {
    // Any answer at all shows that the vendor can be reached.
    const base = baseHeaders(link, tool);
    const { answer } = await transmit(link, encodeRequest(link, request), {
      base,
      life,
      headOnly: true,
    });
    return { ok: true, status: answer.status, message: 'reachable' };
  }
  const reading = await new VendorReader(link, tool, cache).read(request, life, randomUUID());
  const ok = reading.status === verify.expect;
  const accepted = link.credential.state === 'set' ? 'the credential is accepted' : 'reachable';
  return {
    ok,
    status: reading.status,
    message: ok ? accepted : `expected status ${verify.expect}, got ${reading.status}`,
  };
}

async function verifyingCall(
  provider: Provider,
): Promise<{ tool: VendorTool; request: ToolRequest }> {
  const { verify } = provider;
  const load = verify?.tool === undefined ? undefined : provider.tools[verify.tool];
  if (load !== undefined) {
    const tool = await load();
    return { tool, request: tool.request({} as never) };
  }
  const request: ToolRequest = {
    method: verify?.method ?? 'GET',
    // The curation file wrote this path, not a caller.
    path: (verify?.path ?? '/') as SafePath,
  };
  return { tool: probe(provider, request), request };
}

/** A tool that only this check knows. */
function probe(provider: Provider, request: ToolRequest): VendorTool {
  return {
    name: `${provider.id}_verify`,
    description: 'Check the credential',
    annotations: { readOnlyHint: true, openWorldHint: true },
    access: [],
    input: { type: 'object' },
    request: () => request,
  };
}
