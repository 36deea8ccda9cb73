import {
  type Asked,
  type Cut,
  cut,
  type Dialect,
  integer,
  list,
  object,
  query,
  Refusal,
  size,
  sizes,
  text,
  things,
  whole,
} from '../dialect.ts';

const flag = { type: 'boolean' };
/** The page of a number. */
function paged(
  { query }: Asked,
  name: string,
  sizeName: string,
  first = 1,
): Cut & { readonly number: number } {
  const number = whole(query.get(name), first, first);
  const each = Math.min(whole(query.get(sizeName), sizes.usual, 1), sizes.most);
  return { ...cut((number - first) * each, each), number };
}
function from({ query }: Asked, name: string, sizeName: string, first = 0): Cut {
  return cut(whole(query.get(name), first, first) - first, query.get(sizeName));
}
const total = things.length;
const pages = (size: number) => Math.ceil(total / size);

/** Pages and items that are counted. */
export const numbers: readonly Dialect[] = [
  {
    name: 'a page of a bare list',
    parameters: query({ page: integer, per_page: size }),
    schema: list,
    answer: (asked) => ({ body: paged(asked, 'page', 'per_page').page }),
  },
  {
    name: 'a page of a bare list, of a size that is silently less than what is asked for',
    parameters: query({ page: integer, per_page: integer }),
    schema: list,
    answer: (asked) => ({ body: paged(asked, 'page', 'per_page').page }),
  },
  {
    name: 'a page without a size',
    parameters: query({ page: integer }),
    schema: object({ things: list }),
    answer: (asked) => ({ body: { things: paged(asked, 'page', 'none').page } }),
  },
  {
    name: 'Spring Data: page and size, counted from 0',
    parameters: query({ page: integer, size: integer, sort: text }),
    schema: object({
      content: list,
      number: integer,
      size: integer,
      totalPages: integer,
      totalElements: integer,
      last: flag,
      first: flag,
      numberOfElements: integer,
      empty: flag,
    }),
    answer(asked) {
      const { page, number, size } = paged(asked, 'page', 'size', 0);
      return {
        body: { content: page, number, size, totalPages: pages(size), totalElements: total },
      };
    },
  },
  {
    name: 'Spring Data: a slice, which says only whether it is the last',
    parameters: query({ page: { type: 'integer', minimum: 0, default: 0 }, size: integer }),
    schema: object({
      content: list,
      number: integer,
      size: integer,
      last: flag,
      first: flag,
      empty: flag,
    }),
    answer(asked) {
      const { page, number, size, next } = paged(asked, 'page', 'size', 0);
      return {
        body: { content: page, number, size, last: next === undefined, first: number === 0 },
      };
    },
  },
  {
    name: 'Spring: the parameters of a page in one object',
    parameters: [
      {
        name: 'pageable',
        in: 'query',
        required: true,
        schema: object({
          page: { type: 'integer', minimum: 0 },
          size: { type: 'integer', minimum: 1 },
          sort: { type: 'array', items: text },
        }),
      },
    ],
    schema: object({
      content: list,
      number: integer,
      size: integer,
      totalPages: integer,
      totalElements: integer,
    }),
    answer(asked) {
      const { page, number, size } = paged(asked, 'page', 'size', 0);
      return {
        body: { content: page, number, size, totalPages: pages(size), totalElements: total },
      };
    },
  },
  {
    name: 'Spring HATEOAS: a page of totals in an object beside _embedded',
    parameters: query({ page: { type: 'integer', default: 0 }, size: integer }),
    schema: object({
      _embedded: object({ things: list }),
      _links: { type: 'object' },
      page: object({ size: integer, totalElements: integer, totalPages: integer, number: integer }),
    }),
    answer(asked) {
      const { page, number, size } = paged(asked, 'page', 'size', 0);
      return {
        body: {
          _embedded: { things: page },
          _links: {},
          page: { number, size, totalPages: pages(size), totalElements: total },
        },
      };
    },
  },
  {
    name: 'Laravel: current_page and last_page',
    parameters: query({ page: integer, per_page: integer }),
    schema: object({
      data: list,
      meta: object({
        current_page: integer,
        last_page: integer,
        per_page: integer,
        total: integer,
      }),
    }),
    answer(asked) {
      const { page, number, size } = paged(asked, 'page', 'per_page');
      return {
        body: {
          data: page,
          meta: { current_page: number, last_page: pages(size), per_page: size, total },
        },
      };
    },
  },
  {
    name: 'the last page by its number alone',
    parameters: query({ page: integer, per_page: integer }),
    schema: object({ data: list, current_page: integer, last_page: integer }),
    answer(asked) {
      const { page, number, size } = paged(asked, 'page', 'per_page');
      return { body: { data: page, current_page: number, last_page: pages(size) } };
    },
  },
  {
    name: 'Strapi: pagination[page] and pagination[pageSize]',
    parameters: query({
      'pagination[page]': integer,
      'pagination[pageSize]': integer,
      'pagination[start]': integer,
      'pagination[limit]': integer,
      'pagination[withCount]': flag,
    }),
    schema: object({
      data: list,
      meta: object({
        pagination: object({
          page: integer,
          pageSize: integer,
          pageCount: integer,
          total: integer,
        }),
      }),
    }),
    answer(asked) {
      const { query } = asked;
      const isBy = (kind: string) =>
        [...query.keys()].some((name) => name.startsWith(`pagination[${kind}`));
      if (isBy('page') && (isBy('start') || isBy('limit')))
        throw new Refusal('by page or by offset');
      const { page, number, size } = paged(asked, 'pagination[page]', 'pagination[pageSize]');
      return {
        body: {
          data: page,
          meta: { pagination: { page: number, pageSize: size, pageCount: pages(size), total } },
        },
      };
    },
  },
  {
    name: 'Strapi: pagination[start] and pagination[limit]',
    parameters: query({ 'pagination[start]': integer, 'pagination[limit]': integer }),
    schema: object({
      data: list,
      meta: object({ pagination: object({ start: integer, limit: integer, total: integer }) }),
    }),
    answer(asked) {
      const { page, start, size } = from(asked, 'pagination[start]', 'pagination[limit]');
      return { body: { data: page, meta: { pagination: { start, limit: size, total } } } };
    },
  },
  {
    name: 'page[page] and page[per_page] as one object',
    parameters: [
      {
        name: 'page',
        in: 'query',
        style: 'deepObject',
        schema: object({ page: integer, per_page: size }),
      },
    ],
    schema: object({ data: list, jsonapi: object({ version: text }) }),
    answer: (asked) => ({ body: { data: paged(asked, 'page[page]', 'page[per_page]').page } }),
  },
  {
    name: 'JSON:API: page[number] and page[size], meta alone',
    parameters: query({ 'page[number]': integer, 'page[size]': size }),
    schema: object({ data: list, meta: object({ total: integer }) }),
    answer: (asked) => ({
      body: { data: paged(asked, 'page[number]', 'page[size]').page, meta: { total } },
    }),
  },
  {
    name: 'GitLab: the number of the next page in X-Next-Page, empty at the end',
    parameters: query({ page: integer, per_page: integer }),
    schema: list,
    headers: { 'X-Next-Page': { schema: text }, 'X-Total': { schema: integer } },
    answer(asked) {
      const { page, number, next } = paged(asked, 'page', 'per_page');
      return {
        body: page,
        headers: { 'x-next-page': next === undefined ? '' : String(number + 1) },
      };
    },
  },
  {
    name: 'the number of the next page in the answer',
    parameters: query({ page: integer, limit: size }),
    schema: object({ things: list, next_page: integer, prev_page: integer }),
    answer(asked) {
      const { page, number, next } = paged(asked, 'page', 'limit');
      return {
        body: { things: page, next_page: next === undefined ? null : number + 1, prev_page: null },
      };
    },
  },
  {
    name: 'Box: totals, and the items beside an order',
    parameters: query({ offset: integer, limit: integer }),
    schema: object({
      total_count: integer,
      offset: integer,
      limit: integer,
      entries: list,
      order: { type: 'array', items: object({ by: text, direction: text }) },
    }),
    answer(asked) {
      const { page, start, size } = from(asked, 'offset', 'limit');
      return {
        body: {
          total_count: total,
          entries: page,
          offset: start,
          limit: size,
          order: [{ by: 'id', direction: 'ASC' }],
        },
      };
    },
  },
  {
    name: 'Django: limit and offset, with an address beside them',
    parameters: query({ limit: integer, offset: integer }),
    schema: object({
      count: integer,
      next: { type: ['string', 'null'], format: 'uri' },
      previous: { type: ['string', 'null'], format: 'uri' },
      results: list,
    }),
    answer(asked) {
      const { page, next, size } = from(asked, 'offset', 'limit');
      return {
        body: {
          count: total,
          next:
            next === undefined ? null : `http://other.internal/things?limit=${size}&offset=${next}`,
          results: page,
        },
      };
    },
  },
  {
    name: 'Jira: startAt, maxResults and isLast',
    parameters: query({
      startAt: { type: 'integer', format: 'int64', default: 0 },
      maxResults: { type: 'integer', default: 50 },
    }),
    schema: object({
      startAt: integer,
      maxResults: integer,
      isLast: flag,
      values: list,
      self: text,
      nextPage: { type: 'string', format: 'uri' },
    }),
    answer(asked) {
      const { page, start, size, next } = from(asked, 'startAt', 'maxResults');
      return {
        body: {
          startAt: start,
          maxResults: size,
          isLast: next === undefined,
          values: page,
          ...(next !== undefined && {
            nextPage: `https://site.example/rest/things?startAt=${next}`,
          }),
        },
      };
    },
  },
  {
    name: 'an offset, and a list of warnings beside that of things',
    parameters: query({ offset: integer, limit: integer }),
    schema: object({
      things: list,
      warnings: { type: 'array', items: object({ message: text }) },
    }),
    answer: (asked) => ({ body: { things: from(asked, 'offset', 'limit').page, warnings: [] } }),
  },
  {
    name: 'OData: $skip and $top without an address, with @odata.count',
    parameters: query({ $skip: integer, $top: integer, $count: flag }),
    schema: object({ '@odata.count': integer, value: list }),
    answer: (asked) => ({ body: { value: from(asked, '$skip', '$top').page } }),
  },
  {
    name: 'SCIM: startIndex and count, from 1',
    parameters: query({ startIndex: integer, count: integer, filter: text }),
    schema: object({
      schemas: { type: 'array', items: text },
      totalResults: integer,
      startIndex: integer,
      itemsPerPage: integer,
      Resources: list,
    }),
    answer(asked) {
      const { page, start, size } = from(asked, 'startIndex', 'count', 1);
      return {
        body: {
          schemas: [],
          totalResults: total,
          startIndex: start + 1,
          itemsPerPage: size,
          Resources: page,
        },
      };
    },
  },
  {
    name: 'Content-Range with offset and limit: 206 until the end',
    parameters: query({ offset: integer, limit: integer }),
    schema: list,
    status: '206',
    headers: { 'Content-Range': { schema: text } },
    answer(asked) {
      const { page, start, next } = from(asked, 'offset', 'limit');
      const status = next === undefined && start === 0 ? 200 : 206;
      return {
        status,
        body: page,
        headers: { 'content-range': `${start}-${start + page.length - 1}/${total}` },
      };
    },
  },
  {
    name: 'PostgREST: Content-Range that tells a total, pages smaller than asked for',
    parameters: [...query({ offset: integer, limit: { type: 'integer', maximum: 100 } })],
    schema: list,
    status: '206',
    headers: {
      'Content-Range': { schema: text, description: 'First and last item, and how many there are' },
    },
    answer(asked) {
      const { page, start } = from(asked, 'offset', 'limit');
      return {
        status: 206,
        body: page,
        headers: { 'content-range': `items ${start}-${start + page.length - 1}/${total}` },
      };
    },
  },
  {
    name: 'Range: items=0-9 in a header',
    obstacle: /the header "Range" says where a page begins/,
    parameters: [
      { name: 'Range', in: 'header', schema: text, description: 'Which items: `items=0-9`' },
    ],
    schema: list,
    status: '206',
    headers: { 'Content-Range': { schema: text } },
    answer({ headers }) {
      const [, start = '0', end = '9'] =
        /^items=(\d+)-(\d+)$/.exec(String(headers['range'] ?? 'items=0-9')) ?? [];
      const page = things.slice(
        Number(start),
        Math.min(Number(end) + 1, Number(start) + sizes.most),
      );
      return {
        status: 206,
        body: page,
        headers: { 'content-range': `items ${start}-${Number(start) + page.length - 1}/${total}` },
      };
    },
  },
  {
    name: 'X-Total-Count beside pages that are smaller than asked for',
    parameters: query({ page: integer, limit: { type: 'integer', maximum: 100 } }),
    schema: list,
    headers: { 'X-Total-Count': { schema: integer } },
    answer: (asked) => ({
      body: paged(asked, 'page', 'limit').page,
      headers: { 'x-total-count': String(total) },
    }),
  },
  {
    name: 'X-Total-Pages beside pages that are smaller than asked for',
    parameters: query({ page: integer, per_page: { type: 'integer', maximum: 100 } }),
    schema: list,
    headers: { 'X-Total-Pages': { schema: integer }, 'X-Page': { schema: integer } },
    answer(asked) {
      const { page, size } = paged(asked, 'page', 'per_page');
      return { body: page, headers: { 'x-total-pages': String(pages(size)) } };
    },
  },
  {
    name: 'Elasticsearch: from and size, hits among other objects',
    parameters: query({ from: integer, size: integer }),
    schema: object({
      took: integer,
      timed_out: flag,
      _shards: object({ total: integer, failed: integer }),
      hits: object({ total: object({ value: integer }), hits: list }),
      aggregations: { type: 'object', additionalProperties: { type: 'object' } },
      _clusters: object({ total: integer }),
    }),
    answer(asked) {
      const hits = { total: { value: total }, hits: from(asked, 'from', 'size').page };
      return { body: { took: 1, timed_out: false, hits } };
    },
  },
  {
    name: 'Elasticsearch: from and size, with a total in an object',
    parameters: query({ from: integer, size: integer, q: text }),
    schema: object({
      took: integer,
      timed_out: flag,
      hits: object({
        total: object({ value: integer, relation: text }),
        max_score: integer,
        hits: list,
      }),
    }),
    answer: (asked) => ({
      body: {
        took: 1,
        timed_out: false,
        hits: {
          total: { value: total, relation: 'eq' },
          max_score: null,
          hits: from(asked, 'from', 'size').page,
        },
      },
    }),
  },
];
