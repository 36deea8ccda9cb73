import type { JsonPath } from '#contract/json';
import type { Paging, ResponseShape } from '#contract/tool';
import { suggestion } from '../../../diagnostics/suggestion.ts';
import { escapeStep } from '../../../read/text/json-pointer.ts';
import type { CuratedOperation, CuratedPagination } from '../../shape/curation.ts';
import { parseJsonPath } from '../../texts/json-path.ts';
import { present } from '../../texts/present.ts';
import type { Report } from '../../texts/report.ts';
import type { PagingPlan } from '../inputs/paging.ts';
import { besideList } from './beside-list.ts';
import type { OutputNode } from './output-node.ts';

type ReadPath = (text: string | undefined, pointer: string) => JsonPath | undefined;

/** Make a reader of JSONPaths that reports those it does not understand (P022). */
export function pathReader(report: Report, base: string): ReadPath {
  return (text, pointer) => {
    if (text === undefined) return undefined;
    const path = parseJsonPath(text);
    if (path === undefined) {
      report.curation('P022', base + pointer, `"${text}" is not a path of names and positions`, {
        help: "write it like $.a.b[0], $.items[*].id or $['odd name']",
      });
    }
    return path;
  };
}

interface Wanted {
  readonly entry: { readonly curated: CuratedOperation; readonly pointer: string };
  readonly pagination: CuratedPagination | undefined;
  readonly paging: PagingPlan | undefined;
  readonly answer: OutputNode | undefined;
  readonly report: Report;
}

/** How the answer becomes the tool's result, and how it leads to the next page. */
export function planAnswer(wanted: Wanted): { response?: ResponseShape; paging?: Paging } {
  const { entry, pagination, paging, answer, report } = wanted;
  const { curated, pointer } = entry;
  const read = pathReader(report, pointer);
  // What the provider's own entry says has been checked with the provider.
  const readPaging: ReadPath = (text, at) =>
    curated.pagination !== undefined || text === undefined ? read(text, at) : parseJsonPath(text);
  const listed = paging === undefined ? undefined : pagination?.response?.items;
  const items =
    read(curated.response?.items, '/response/items') ??
    readPaging(listed, '/pagination/response/items') ??
    (answer !== undefined && isList(answer) ? [] : undefined);
  const { items: written, decode } = curated.response ?? {};
  if (written !== undefined && decode === undefined && items && answer) {
    const unknown = unknownStep(answer, items);
    if (unknown !== undefined) {
      const message = `"${written}" leads to "${unknown.name}", which the description does not have there`;
      const help = suggestion(unknown.name, unknown.known);
      report.curation('P041', `${pointer}/response/items`, message, { help });
    }
  }
  const list = items && { items, ...(answer && besideList(answer, items)) };
  const response = responseShape(curated, list, read);
  return {
    ...(response !== undefined && { response }),
    ...(paging !== undefined && { paging: pagingPaths(paging.paging, pagination, readPaging) }),
  };
}

/** The first name on a path that is described nowhere, among others that are. */
function unknownStep(
  node: OutputNode,
  [step, ...rest]: JsonPath,
): { readonly name: string; readonly known: readonly string[] } | undefined {
  if (typeof step !== 'string' || step === '*') return undefined;
  const members = node.members();
  const next = members.get(step);
  if (next !== undefined) return unknownStep(next, rest);
  return members.size === 0 ? undefined : { name: step, known: [...members.keys()] };
}

/** A result is never a list: where the vendor answers with one, it becomes `items`. */
function isList({ types }: OutputNode): boolean {
  return types.has('array') && !types.has('object');
}

type ListShape = Pick<ResponseShape, 'items' | 'besides' | 'nullList'>;

/** `undefined` where the answer is taken as it is. */
function responseShape(
  { response = {} }: CuratedOperation,
  list: ListShape | undefined,
  read: ReadPath,
): ResponseShape | undefined {
  const { markdown } = response;
  const paths = (texts: readonly string[] | undefined, key: string): JsonPath[] | undefined =>
    texts?.map((text, index) => read(text, `/response/${key}/${index}`) ?? []);
  const slice = read(response.slice?.path, '/response/slice/path');
  const shape = present<ResponseShape>({
    decode: response.decode,
    ...list,
    rows: paths(response.rows, 'rows'),
    pick: response.pick,
    drop: response.drop,
    map: response.map && mapPaths(response.map, read),
    base64: paths(response.base64, 'base64'),
    markdown: typeof markdown === 'object' ? paths(markdown, 'markdown') : markdown || undefined,
    slice: slice && { path: slice, maxCharacters: response.slice?.max_characters ?? 0 },
    follow: response.follow,
    maxItems: response.max_items,
    maxBytes: response.max_bytes,
    untrusted: response.untrusted || undefined,
    linkOnly: response.link_only || undefined,
    location: response.location || undefined,
    headers: response.headers?.map((name) => name.toLowerCase()),
  });
  return Object.keys(shape).length === 0 ? undefined : shape;
}

function mapPaths(map: Readonly<Record<string, string>>, read: ReadPath): Record<string, JsonPath> {
  const entries = Object.entries(map).map(
    ([name, text]) => [name, read(text, `/response/map/${escapeStep(name)}`) ?? []] as const,
  );
  return Object.fromEntries(entries);
}

function pagingPaths(
  { style, ...rest }: Paging,
  pagination: CuratedPagination | undefined,
  read: ReadPath,
): Paging {
  const { next, next_header, has_more, total, pages, counted } = pagination?.response ?? {};
  const paths = present<Pick<Paging, 'next' | 'hasMore' | 'total' | 'pages' | 'counted'>>({
    next: read(next, '/pagination/response/next'),
    hasMore: read(has_more, '/pagination/response/has_more'),
    total: read(total, '/pagination/response/total'),
    pages: read(pages, '/pagination/response/pages'),
    counted: read(counted, '/pagination/response/counted'),
  });
  return { style, ...paths, ...(next_header && { nextHeader: next_header }), ...rest };
}
