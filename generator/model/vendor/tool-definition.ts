import { parseDuration } from '#contract/config/switch';
import type { JsonSchema } from '#contract/json';
import type { ToolAnnotations, ToolDefinition } from '#contract/tool';
import type { CuratedOperation, Curation } from '../shape/curation.ts';
import { cleanText } from '../texts/clean-text.ts';

/** What the server says about a tool and demands of a call. */
export function toolDefinition(
  curated: CuratedOperation,
  { provider, auth }: Curation,
  schemas: { readonly input: JsonSchema; readonly output: JsonSchema | undefined },
): ToolDefinition {
  const { name, annotations, purpose, when_to_use, scopes = [] } = curated;
  const { price, confirm, audit, task, deprecated } = curated;
  const keyless = auth.some(({ type }) => type === 'none');
  const own = keyless
    ? 'mcp.tools'
    : `provider:${provider}:${annotations.readOnly ? 'read' : 'write'}`;
  const text = when_to_use === undefined ? purpose : `${sentence(purpose)} ${when_to_use}`;
  return {
    name,
    ...(annotations.title !== undefined && { title: cleanText(annotations.title) ?? name }),
    description: cleanText(text) ?? purpose,
    annotations: annotationsOf(annotations),
    access: [...new Set([own, ...scopes])],
    input: schemas.input,
    ...(schemas.output && { output: schemas.output }),
    ...(price !== undefined && { price }),
    ...(confirm !== undefined && confirm !== 'none' && { confirm }),
    ...(audit !== undefined && audit !== 'none' && { audit }),
    ...(task !== undefined && task !== 'none' && { task }),
    ...(deprecated && { deprecated }),
  };
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
export function callLimits({ idempotency, rate_cost, timeout_ms, cache }: CuratedOperation) {
  const ttlMs = cache?.ttl === undefined ? undefined : parseDuration(cache.ttl);
  return {
    ...(idempotency &&
      idempotency.key !== 'client' && {
        idempotency: { in: idempotency.in, name: idempotency.name },
      }),
    ...(rate_cost !== undefined && { rateCost: rate_cost }),
    ...(timeout_ms !== undefined && { timeoutMs: timeout_ms }),
    ...(ttlMs !== undefined && { cache: { ttlMs } }),
  };
}
