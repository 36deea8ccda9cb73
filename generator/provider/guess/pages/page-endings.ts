import type { CuratedPagination } from '../../../model/shape/curation.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import type { AnswerList } from './answer-list.ts';
import { hasMorePath, pagesPath, totalPath } from './answer-position.ts';

/** What tells that a list of numbered pages goes on. */
export function endings(
  document: ApiDocument,
  answer: Readonly<Record<string, unknown>>,
  list: AnswerList | undefined,
): Pick<CuratedPagination, 'response'> {
  const more = hasMorePath(document, answer);
  const total = more === undefined ? totalPath(document, answer, list?.path) : undefined;
  const counted = list !== undefined && !list.isWhole ? list.path : undefined;
  const response = {
    ...(more !== undefined && { has_more: more }),
    ...(total !== undefined && { total }),
    ...(counted !== undefined && { counted }),
  };
  return Object.keys(response).length === 0 ? {} : { response };
}

/** Whether an answer says of itself whether it is the last one. */
export function isTold({ response }: Pick<CuratedPagination, 'response'>): boolean {
  const paths = [response?.has_more, response?.total, response?.pages];
  return paths.some((path) => path !== undefined);
}

/** The number of all pages, where nothing else tells which one is the last. */
export function pageEnd(
  document: ApiDocument,
  answer: Readonly<Record<string, unknown>>,
  ends: Pick<CuratedPagination, 'response'>,
): Pick<CuratedPagination, 'response'> {
  const pages = isTold(ends) ? undefined : pagesPath(document, answer);
  return pages === undefined ? {} : { response: { ...ends.response, pages } };
}

/** Whether somebody who counts sees where a list ends: by its items, or by what is said of all. */
export function isEnding(
  list: AnswerList | undefined,
  ...ends: readonly Pick<CuratedPagination, 'response'>[]
): boolean {
  return list !== undefined || ends.some(({ response }) => response !== undefined);
}
