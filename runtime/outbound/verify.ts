import { randomUUID } from 'node:crypto';
import { ToolError } from '#contract/errors';
import type { SafePath } from '#contract/path';
import type { Provider } from '#contract/provider';
import type { ToolRequest } from '#contract/request';
import { defaultTenant } from '#contract/tenant/tenants';
import type { VendorTool } from '#contract/tool';
import { connectionFailure } from './answer/connection-failure.ts';
import type { ResponseCache } from './answer/response-cache.ts';
import { VendorReader } from './answer/vendor-reader.ts';
import { CallLife } from './call/call-life.ts';
import type { Wanted } from './digest/digest.ts';
import { baseHeaders, encodeRequest } from './request/outgoing.ts';
import type { ProviderLink } from './request/provider-link.ts';
import { transmit } from './request/transmit.ts';
import { requireCredential } from './vendor-tool.ts';

/** What a check of a provider found. */
export interface Verification {
  readonly ok: boolean;
  /** The vendor's HTTP status, if it answered. */
  readonly status?: number | undefined;
  /** Whether the vendor does not take the credential; what fails otherwise may pass. */
  readonly isRefused?: boolean;
  readonly message: string;
}

/** Of the statuses that speak of what was sent, those that may be another one next time. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/** Ask a vendor whether it can be reached and accepts the credential. */
export async function verifyProvider(
  link: ProviderLink,
  cache: ResponseCache,
): Promise<Verification> {
  const life = new CallLife({ call: new AbortController() }, link.limits.timeoutMs, link.clock);
  try {
    requireCredential(link);
    return await check(link, cache, life);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { httpStatus: status } = error.detail;
    return { ok: false, status, isRefused: isRefused(error), message: error.message };
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
  const call = await verifyingCall(link.provider);
  if (verify === undefined) return reach(link, call, life);
  const { tool, request } = call;
  const reading = await new VendorReader(link, tool, cache).read(request, anyItem, life, {
    callId: randomUUID(),
    // The server asks, and not a caller.
    caller: { tenant: defaultTenant },
  });
  const { status } = reading;
  if (status !== verify.expect) {
    return { ok: false, status, message: `expected status ${verify.expect}, got ${status}` };
  }
  const accepted = link.credential.state === 'set';
  return { ok: true, status, message: accepted ? 'the credential is accepted' : 'reachable' };
}

/** What vendors speak of that refuse a credential in an answer whose status means success. */
const ofCredential =
  /auth|token|\bkey|_key|credential|session|log_?in|password|expired|revoked|invalid/i;

/** An answer that cannot be read, or is cut off, says nothing of the credential, whatever its status is. */
function isRefused({ code, message, detail }: ToolError): boolean {
  const { httpStatus: status = 0, upstreamCode = '' } = detail;
  if (code === 'unauthorized' || code === 'forbidden') return true;
  // Only what a vendor says itself comes with the place of its code.
  const isSaid = 'upstreamCode' in detail && code !== 'rate_limited';
  if (isSaid && status < 400 && ofCredential.test(`${upstreamCode} ${message}`)) return true;
  return code !== 'rate_limited' && status >= 400 && status < 500 && !passing.has(status);
}

/** Only the status counts. */
const anyItem = (): Wanted => ({ kind: 'item' });

/** Any answer at all shows that the vendor can be reached. */
async function reach(
  link: ProviderLink,
  { tool, request }: VerifyingCall,
  life: CallLife,
): Promise<Verification> {
  try {
    const outgoing = encodeRequest(link, request);
    const base = baseHeaders(link, tool);
    const { answer } = await transmit(link, outgoing, {
      ...{ base, life, headOnly: true, tenant: defaultTenant },
    });
    return { ok: true, status: answer.status, message: 'reachable' };
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw connectionFailure(error, { ...link, reads: true, repeatable: false });
  }
}

interface VerifyingCall {
  readonly tool: VendorTool;
  readonly request: ToolRequest;
}

async function verifyingCall(provider: Provider): Promise<VerifyingCall> {
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
