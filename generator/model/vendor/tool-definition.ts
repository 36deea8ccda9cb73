import { parseDuration } from '#contract/config/switch';
import type { JsonSchema } from '#contract/json';
import type { ToolAnnotations, ToolDefinition } from '#contract/tool';
import { planDemands } from '../operation/operation-demands.ts';
import type { CuratedOperation, CuratedVendorKey, Curation } from '../shape/curation.ts';
import { cleanText } from '../texts/clean-text.ts';
import { vendorKeyOf } from './vendor-key.ts';

/** What the server says about a tool and demands of a call. */
export function toolDefinition(
  curated: CuratedOperation,
  { provider, auth }: Curation,
  schemas: { readonly input: JsonSchema; readonly output: JsonSchema | undefined },
): ToolDefinition {
  const { name, annotations, purpose, when_to_use, scopes = [], deprecated } = curated;
  const keyless =
    curated.auth === undefined &&
    auth.some((entry) => entry.type === 'none' && entry.default !== false);
  const own = keyless
    ? 'mcp.tools'
    : `provider:${provider}:${annotations.readOnly ? 'read' : 'write'}`;
  const text = when_to_use === undefined ? purpose : `${sentence(purpose)} ${when_to_use}`;
  return {
    name,
    ...(annotations.title !== undefined && { title: cleanText(annotations.title) ?? name }),
    description: cleanText(text) ?? purpose,
    annotations: annotationsOf(annotations),
    ...planDemands(ownDemands(curated), [...new Set([own, ...scopes])]),
    input: schemas.input,
    ...(schemas.output && { output: schemas.output }),
    ...(deprecated && { deprecated }),
  };
}

/** What stands beside a key that the vendor takes is no demand of this server. */
function ownDemands({ idempotency, ...demands }: CuratedOperation) {
  return typeof idempotency === 'string' ? { ...demands, idempotency } : demands;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function annotationsOf({
  readOnly,
  destructive,
  idempotent,
  openWorld = true,
}: CuratedOperation['annotations']): ToolAnnotations {
  // The other two hints mean nothing for a tool that only reads (MCP 2026-07-28, ToolAnnotations).
  if (readOnly) return { readOnlyHint: true, openWorldHint: openWorld };
  return {
    readOnlyHint: false,
    destructiveHint: destructive ?? true,
    idempotentHint: idempotent ?? false,
    openWorldHint: openWorld,
  };
}

/** What the runtime needs to know of a call besides its request and its answer. */
export function callLimits(curated: CuratedOperation) {
  const { auth, rate_cost, timeout_ms, cache } = curated;
  const key = vendorKeyOf(curated);
  const ttlMs = cache?.ttl === undefined ? undefined : parseDuration(cache.ttl);
  return {
    ...(auth && { auth }),
    ...(key && key.key !== 'client' && { vendorKey: sentKey(key) }),
    ...(rate_cost !== undefined && { rateCost: rate_cost }),
    ...(timeout_ms !== undefined && { timeoutMs: timeout_ms }),
    ...(ttlMs !== undefined && { cache: { ttlMs } }),
  };
}

function sentKey({ in: place, name, key, also }: CuratedVendorKey) {
  return {
    ...{ in: place, name },
    ...(key === 'each' && { onlyNames: true as const }),
    ...(also && { also }),
  };
}
