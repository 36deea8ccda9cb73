import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { apiOperations } from '../model/schema/api-operations.ts';
import type { ProviderModel } from '../model/shape/provider-model.ts';
import type { ProviderSources } from '../model/shape/provider-sources.ts';
import type { ApiDocument } from '../read/document/api-document.ts';
import { guessPagination } from './guess/pages/guess-pagination.ts';
import { pageObstacle } from './guess/pages/page-obstacle.ts';
import { listOf } from './guess/pages/told-list.ts';
import { natureOf, type OperationNature } from './operations/operation-nature.ts';

/** How a list pages that the curation does not page. */
function leftOut(document: ApiDocument, nature: OperationNature): string | undefined {
  const isRead = nature.reads && listOf(document, nature) !== undefined;
  const guess = isRead ? guessPagination(document, nature) : undefined;
  return guess && `its description pages it (${guess.style}), and the curation does not`;
}

/** Find lists of which nobody gets more than the first page through this server, and say why (P028). */
export function checkPages(
  { document, curation, curationFile }: ProviderSources,
  { tools }: ProviderModel,
): Diagnostic[] {
  const operations = apiOperations(document);
  return tools.flatMap(({ definition, origin, behaviour, pointer }) => {
    const operation = operations.byRoute.get(`${origin.method} ${origin.path}`);
    const curated = curation.operations.find(({ name }) => name === definition.name);
    // Who writes "none" knows.
    if (!operation || behaviour.paging || curated?.pagination?.style === 'none') return [];
    const nature = natureOf(document, operation);
    const obstacle = pageObstacle(document, nature) ?? leftOut(document, nature);
    if (obstacle === undefined) return [];
    const message = `${definition.name} gives the first page of a list: ${obstacle}`;
    return [diagnose('P028', { ...curationFile.locate(pointer), pointer }, message)];
  });
}
