import {
  type Asked,
  type Cut,
  cut,
  type Dialect,
  flag,
  integer,
  leading,
  list,
  object,
  pages,
  query,
  Refusal,
  size,
  sizes,
  text,
  total,
  whole,
} from '../dialect.ts';

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

/** Pages that are counted. */
export const pageNumbers: readonly Dialect[] = [
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
    name: 'a page whose "next" is an address that nobody tells of, smaller than asked for',
    parameters: query({ page: integer, limit: { type: 'integer', maximum: 100 } }),
    schema: object({ things: list, next: text }),
    answer(asked) {
      const { page, number, next } = paged(asked, 'page', 'limit');
      const address = next === undefined ? null : leading(asked, { page: number + 1 });
      return { body: { things: page, next: address } };
    },
  },
  {
    name: 'the number of the next page in the answer, of pages smaller than asked for',
    parameters: query({ page: integer, limit: { type: 'integer', maximum: 100 } }),
    schema: object({ things: list, nextPage: integer }),
    answer(asked) {
      const { page, number, next } = paged(asked, 'page', 'limit');
      return { body: { things: page, ...(next !== undefined && { nextPage: number + 1 }) } };
    },
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
];
