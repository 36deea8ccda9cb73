import type { CuratedOperation, Curation } from '../shape/curation.ts';
import { paginationOf } from './inputs/paging.ts';

/** The headers of answers that a tool reads: those that it shows, and those that lead on. In lower case. */
export function headersReadOf(
  { pagination }: Pick<Curation, 'pagination'>,
  curated: CuratedOperation | undefined,
): readonly string[] {
  if (curated === undefined) return [];
  const { response = {} } = curated;
  const isLinked = paginationOf(pagination, curated.pagination)?.style === 'link_header';
  const names = [
    ...(response.headers ?? []),
    ...(isLinked ? ['link'] : []),
    ...(response.location ? ['location'] : []),
  ];
  return [...new Set(names.map((name) => name.toLowerCase()))];
}
