import type { ToolDefinition } from '#contract/tool';
import type { Repetition } from '#contract/workflow/workflow';
import type { SurfaceModel } from '../house/surface-model.ts';
import type { ProviderModel } from '../shape/provider-model.ts';

/** A tool that a step can call. */
export interface CalledTool {
  readonly definition: ToolDefinition;
  readonly repeat: Repetition;
  /** The vendor whose tool it is; absent for those of surfaces. */
  readonly provider?: string;
}

/** The tools of one source by the ids that steps may call them by. */
export type SourceTools = ReadonlyMap<string, CalledTool>;

/** The tools of every source, by the URL that a document names it by. */
export function sourcesOf(
  providers: readonly ProviderModel[],
  surfaces: readonly SurfaceModel[],
): ReadonlyMap<string, SourceTools> {
  return new Map([
    ...providers.map(
      (provider) =>
        [`../providers/${provider.settings.id}/openapi.yaml`, vendorTools(provider)] as const,
    ),
    ...surfaces.map(
      ({ id, tools }) =>
        [
          `../surfaces/${id}/openapi.yaml`,
          new Map(tools.map((tool) => [tool.name, { definition: tool, repeat: repetition(tool) }])),
        ] as const,
    ),
  ]);
}

/** By their names, and by the ids of the operations that one tool alone is made of. */
function vendorTools({ settings: { id }, tools }: ProviderModel): SourceTools {
  const named = tools.map(({ definition, behaviour, origin }) => {
    const { vendorKey } = behaviour;
    const repeat = repetition(definition, vendorKey !== undefined && !vendorKey.onlyNames);
    return { tool: { definition, repeat, provider: id }, operationId: origin.operationId };
  });
  const shared = Map.groupBy(named, ({ operationId }) => operationId);
  return new Map([
    ...[...shared].flatMap(([operationId, [first, ...others]]) =>
      operationId === undefined || first === undefined || others.length > 0
        ? []
        : [[operationId, first.tool] as const],
    ),
    ...named.map(({ tool }) => [tool.definition.name, tool] as const),
  ]);
}

function repetition(
  { annotations: { readOnlyHint, idempotentHint } }: Pick<ToolDefinition, 'annotations'>,
  hasKey = false,
): Repetition {
  if (readOnlyHint || idempotentHint === true) return 'safe';
  return hasKey ? 'keyed' : 'once';
}
