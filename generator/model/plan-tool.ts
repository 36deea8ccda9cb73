import type { JsonSchema } from '#contract/json';
import type { Provider } from '#contract/provider';
import { parseDuration } from '#contract/switch';
import type { ResponseShape, ToolAnnotations, ToolDefinition } from '#contract/tool';
import type { ApiOperations } from './api-operations.ts';
import { argumentModels } from './argument-models.ts';
import { cleanText } from './clean-text.ts';
import { curateInputs } from './curated-inputs.ts';
import { checkCuratedNames } from './curated-names.ts';
import type { CuratedOperation, Curation } from './curation.ts';
import { inputSchema } from './input-schema.ts';
import { type OutputNode, unknownNode } from './output-node.ts';
import { outputSchema } from './output-schema.ts';
import { paginationOf, planPaging } from './paging.ts';
import type { ToolModel } from './provider-model.ts';
import type { Report } from './report.ts';
import { planRequest } from './request-planner.ts';
import { planAnswer } from './response-plan.ts';
import { findOrigin, type RequestOrigin } from './tool-origin.ts';
import { checkTool } from './tool-rules.ts';
import type { ToolSchemas } from './tool-schema.ts';

/** What all tools of a provider are planned with. */
export interface ToolPlanning {
  readonly curation: Curation;
  readonly api: ApiOperations;
  readonly schemas: ToolSchemas;
  readonly settings: Omit<Provider, 'tools'>;
  readonly report: Report;
}

/** The entry of a tool in the curation and the names that its constants have. */
export interface PlannedEntry {
  readonly curated: CuratedOperation;
  /** JSON pointer of the entry. */
  readonly pointer: string;
  readonly exportName: string;
  readonly argumentsType: string;
}

/** Plan one tool; `undefined` where the curation does not lead to a request. */
export function planTool(entry: PlannedEntry, planning: ToolPlanning): ToolModel | undefined {
  const { curated, pointer, exportName, argumentsType } = entry;
  const { schemas, settings } = planning;
  const origin = findOrigin(curated, pointer, planning);
  if (origin === undefined) return undefined;
  const { paging, pagination, sent, given } = planInputs(entry, origin, planning);
  const input = inputSchema(given, origin.inputs.notes, schemas);
  const answer = planAnswer({ entry, pagination, paging, answer: origin.answer, ...planning });
  const known = isJson(curated) ? origin.answer : shapedNode(answer.response);
  const output = known && outputSchema(known, answer.response);
  const models = argumentModels(given, schemas.document);
  const model: ToolModel = {
    definition: {
      ...definitionOf(curated, settings, input.schema),
      ...(output && { output }),
      ...demands(curated),
    },
    purpose: curated.purpose,
    ...(curated.when_to_use !== undefined && { whenToUse: curated.when_to_use }),
    resource: curated.resource,
    exportName,
    ...(models.length > 0 && { argumentsType }),
    origin: origin.shown,
    arguments: models,
    request: planRequest({
      ...origin,
      curated,
      sent,
      continueAt: paging?.continueAt,
      schemas,
      constant: `${exportName}Document`,
    }),
    behaviour: { ...answer, ...limits(curated) },
    pointer,
    examples: (curated.examples ?? []).map(({ arguments: args = {}, note }) => ({
      arguments: args,
      ...(note !== undefined && { note }),
    })),
  };
  checkTool({ entry, origin, given, input, model, ...planning });
  return model;
}

/** What is known of an answer that no schema describes: the shape that the curation gives it. */
function shapedNode({ items, map }: ResponseShape = {}): OutputNode | undefined {
  return items === undefined && map === undefined ? undefined : unknownNode;
}

function planInputs(
  { curated, pointer }: PlannedEntry,
  { inputs }: RequestOrigin,
  { curation, schemas, report }: ToolPlanning,
) {
  const pagination = paginationOf(curation.pagination, curated.pagination);
  const paging = planPaging(pagination, inputs.inputs, {
    isOwn: curated.pagination !== undefined,
    defaults: curated.params?.defaults ?? {},
  });
  const made = paging?.arguments.map(({ name }) => name) ?? [];
  checkCuratedNames(curated, { pointer, report }, inputs.inputs, made);
  const { sent, arguments: given } = curateInputs(inputs.inputs, {
    curated,
    pointer,
    body: inputs.body,
    paging,
    headers: sentHeaders(curation, curated),
    schemas,
    report,
  });
  return { pagination, paging, sent, given };
}

/** Headers that go out without being an argument; the first three are no parameters (OpenAPI 3.1). */
function sentHeaders({ headers, auth }: Curation, curated: CuratedOperation): ReadonlySet<string> {
  const names = [
    'accept',
    'content-type',
    'authorization',
    ...Object.keys(headers ?? {}),
    ...Object.keys(curated.headers ?? {}),
    ...auth.flatMap(({ in: place, name }) => (place === 'header' && name ? [name] : [])),
    ...(curated.idempotency?.in === 'header' ? [curated.idempotency.name] : []),
  ];
  return new Set(names.map((name) => name.toLowerCase()));
}

function isJson({ response }: CuratedOperation): boolean {
  return response?.decode === undefined || response.decode === 'json';
}

function definitionOf(
  curated: CuratedOperation,
  { id, auth }: Omit<Provider, 'tools'>,
  input: JsonSchema,
): ToolDefinition {
  const { name, annotations, purpose, when_to_use, scopes = [] } = curated;
  const keyless = auth.some(({ type }) => type === 'none');
  const own = keyless ? 'mcp.tools' : `provider:${id}:${annotations.readOnly ? 'read' : 'write'}`;
  const text = when_to_use === undefined ? purpose : `${sentence(purpose)} ${when_to_use}`;
  return {
    name,
    ...(annotations.title !== undefined && { title: annotations.title }),
    description: cleanText(text) ?? purpose,
    annotations: annotationsOf(annotations),
    access: [...new Set([own, ...scopes])],
    input,
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

function demands({ price, confirm, deprecated }: CuratedOperation) {
  return {
    ...(price !== undefined && { price }),
    ...(confirm !== undefined && confirm !== 'none' && { confirm }),
    ...(deprecated && { deprecated: true as const }),
  };
}

function limits({ idempotency, rate_cost, timeout_ms, cache }: CuratedOperation) {
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
