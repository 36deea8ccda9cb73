import {
  type Asked,
  type Cut,
  cut,
  type Dialect,
  flag,
  integer,
  list,
  object,
  query,
  sizes,
  text,
  things,
  total,
  whole,
} from '../dialect.ts';

/** The items from a number on. */
function from({ query }: Asked, name: string, sizeName: string, first = 0): Cut {
  return cut(whole(query.get(name), first, first) - first, query.get(sizeName));
}
/** Items that are counted. */
export const offsets: readonly Dialect[] = [
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
