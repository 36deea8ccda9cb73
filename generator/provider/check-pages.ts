import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { ApiOperations } from '../model/schema/api-operations.ts';
import type { ProviderModel } from '../model/shape/provider-model.ts';
import type { ProviderSources } from '../model/shape/provider-sources.ts';
import { pageObstacle } from './guess/pages/page-obstacle.ts';
import { natureOf } from './operations/operation-nature.ts';

/** Find lists of which nobody gets more than the first page through this server, and say why (P028). */
export function checkPages(
  { document, curation, curationFile }: ProviderSources,
  { tools }: ProviderModel,
): Diagnostic[] {
  const operations = new ApiOperations(document);
  return tools.flatMap(({ definition, origin, behaviour, pointer }) => {
    const operation = operations.byRoute.get(`${origin.method} ${origin.path}`);
    const curated = curation.operations.find(({ name }) => name === definition.name);
    // Who writes "none" knows.
    if (!operation || behaviour.paging || curated?.pagination?.style === 'none') return [];
    const obstacle = pageObstacle(document, natureOf(document, operation));
    if (obstacle === undefined) return [];
    const message = `${definition.name} gives the first page of a list: ${obstacle}`;
    return [diagnose('P028', { ...curationFile.locate(pointer), pointer }, message)];
  });
}
