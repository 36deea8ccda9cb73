import { type ApiOperation, parametersOf } from '../../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import type { SuccessContent } from '../../examples/success-content.ts';
import { answerList } from '../../guess/pages/answer-list.ts';
import { cursorNames, limitNames, offsetNames, pageNames } from '../../guess/pages/paging-names.ts';
import { askingElsewhere } from './verbs.ts';

const positions = [cursorNames, offsetNames, pageNames];

/**
 * Whether a POST that answers with a list only asks for it: its address says which page of how many
 * items, which nothing needs that is made, or its text says so in another language than English.
 */
export function asksForList(
  document: ApiDocument,
  operation: ApiOperation,
  summary: string,
  content: SuccessContent | undefined,
): boolean {
  if (operation.method !== 'POST' || answerList(document, content) === undefined) return false;
  return takesPage(document, operation) || askingElsewhere.test(summary);
}

function takesPage(document: ApiDocument, operation: ApiOperation): boolean {
  const names = parametersOf(document, operation).flatMap(({ in: place, name }) =>
    place === 'query' ? String(name) : [],
  );
  return (
    names.some((name) => limitNames.test(name)) &&
    names.some((name) => positions.some((kind) => kind.test(name)))
  );
}
