import {
  type Asked,
  cut,
  type Dialect,
  flag,
  integer,
  list,
  object,
  query,
  Refusal,
  size,
  sizes,
  startOf,
  text,
  token,
  whole,
} from '../dialect.ts';

const tokenOf = (next: number | undefined) => (next === undefined ? null : token(next));
const member = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
function paged(number: unknown, asked: unknown, first = 1) {
  const each = Math.min(whole(asked, sizes.usual, 1), sizes.most);
  return cut((whole(number, first, first) - first) * each, each);
}

/** The position stands in the body of the request. */
export const bodies: readonly Dialect[] = [
  {
    name: 'Notion: start_cursor, next_cursor and has_more',
    method: 'post',
    members: { start_cursor: text, page_size: size, filter: { type: 'object' } },
    schema: object({
      object: text,
      results: list,
      next_cursor: { type: ['string', 'null'] },
      has_more: flag,
    }),
    answer({ body }: Asked) {
      const { page, next } = cut(startOf(body['start_cursor']), body['page_size']);
      return {
        body: {
          object: 'list',
          results: page,
          next_cursor: tokenOf(next),
          has_more: next !== undefined,
        },
      };
    },
  },
  {
    name: 'AWS: NextToken on both sides',
    method: 'post',
    members: { NextToken: text, MaxResults: size },
    schema: object({ Things: list, NextToken: text }),
    answer({ body }: Asked) {
      const { page, next } = cut(startOf(body['NextToken']), body['MaxResults']);
      return { body: { Things: page, ...(next !== undefined && { NextToken: token(next) }) } };
    },
  },
  {
    name: 'a page in the body',
    method: 'post',
    members: { page: integer, limit: size, q: text },
    schema: object({ data: list, total: integer }),
    answer: ({ body }: Asked) => ({
      body: { data: paged(body['page'], body['limit']).page, total: 45 },
    }),
  },
  {
    name: 'a page in an object of the body',
    method: 'post',
    members: { pagination: object({ page: integer, pageSize: size }), q: text },
    schema: object({ data: list, total: integer }),
    answer({ body }: Asked) {
      const { page, pageSize } = member(body['pagination']);
      return { body: { data: paged(page, pageSize).page, total: 45 } };
    },
  },
  {
    name: 'Plaid: count and offset among the options of the body',
    method: 'post',
    members: { options: object({ count: size, offset: integer, detail: text }) },
    schema: object({ things: list, total_things: integer, request_id: text }),
    answer({ body }: Asked) {
      const { count, offset } = member(body['options']);
      return { body: { things: cut(whole(offset, 0), count).page, total_things: 45 } };
    },
  },
  {
    name: 'Datadog: page.cursor in the body, meta.page.after',
    method: 'post',
    members: { page: object({ cursor: text, limit: size }), filter: { type: 'object' } },
    schema: object({ data: list, meta: object({ page: object({ after: text }) }) }),
    answer({ body }: Asked) {
      const { cursor, limit } = member(body['page']);
      const { page, next } = cut(startOf(cursor), limit);
      return { body: { data: page, meta: { page: { after: tokenOf(next) } } } };
    },
  },
  {
    name: 'AuthZEN: a token and a limit in the page of the body, page.next_token',
    method: 'post',
    members: { subject: text, page: object({ token: text, limit: size }) },
    schema: object({ results: list, page: object({ next_token: text, count: integer }) }),
    answer({ body }: Asked) {
      const { token: given, limit } = member(body['page']);
      const { page, next } = cut(startOf(given), limit);
      const next_token = next === undefined ? '' : token(next);
      return { body: { results: page, page: { next_token, count: page.length } } };
    },
  },
  {
    name: 'a count and an offset that the body demands',
    method: 'post',
    members: { count: size, offset: { type: 'integer', minimum: 0 }, q: text },
    required: ['count', 'offset'],
    schema: object({ things: list, total: integer, request_id: text }),
    answer({ body }: Asked) {
      const { count, offset } = body;
      if (count === undefined || offset === undefined) throw new Refusal('count and offset');
      return { body: { things: cut(whole(offset, 0), count).page, total: 45, request_id: 'r' } };
    },
  },
  {
    name: 'a continue_token beside the items in an object',
    method: 'post',
    members: { continue_token: text, limit: size, q: text },
    schema: object({
      request_id: text,
      data: object({ count: integer, continue_token: text, emails: list }),
    }),
    answer({ body }: Asked) {
      const { page, next } = cut(startOf(body['continue_token']), body['limit']);
      const token = tokenOf(next);
      return { body: { request_id: 'r', data: { continue_token: token, emails: page } } };
    },
  },
  {
    name: 'Elasticsearch: search_after as a list of values, those of the last hit',
    obstacle: /"search_after" is no single value/,
    method: 'post',
    members: { search_after: { type: 'array', items: text }, size: integer },
    schema: object({
      hits: object({
        total: integer,
        hits: {
          type: 'array',
          items: {
            ...list.items,
            properties: { ...list.items.properties, sort: { type: 'array', items: text } },
          },
        },
      }),
    }),
    answer({ body }: Asked) {
      const given: unknown = body['search_after'];
      const { page, start } = cut(Array.isArray(given) ? startOf(given[0]) : 0, body['size']);
      return {
        body: {
          hits: {
            total: 45,
            hits: page.map((thing, at) => ({ ...thing, sort: [token(start + at + 1)] })),
          },
        },
      };
    },
  },
  {
    name: 'a cursor in the query of a search by POST',
    method: 'post',
    parameters: query({ cursor: text, limit: size }),
    members: { q: text },
    schema: object({ data: list, next_cursor: text }),
    answer({ query }: Asked) {
      const { page, next } = cut(startOf(query.get('cursor')), query.get('limit'));
      return { body: { data: page, next_cursor: tokenOf(next) } };
    },
  },
];
