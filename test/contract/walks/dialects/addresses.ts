import {
  type Asked,
  cut,
  type Dialect,
  integer,
  leading,
  list,
  object,
  query,
  size,
  startOf,
  text,
  token,
  whole,
} from '../dialect.ts';

const uri = { type: ['string', 'null'], format: 'uri' };

/** The list cut by one parameter, and the address of its next page. */
function led(asked: Asked, name: string, sizeName: string) {
  const { page, next, start } = cut(startOf(asked.query.get(name)), asked.query.get(sizeName));
  return {
    page,
    start,
    address: next === undefined ? null : leading(asked, { [name]: token(next) }),
  };
}
function counted(asked: Asked, sizeName = 'limit') {
  const number = whole(asked.query.get('page'), 1, 1);
  const each = whole(asked.query.get(sizeName), 10, 1);
  const { page, next } = cut((number - 1) * each, each);
  return {
    page,
    number,
    address: next === undefined ? undefined : leading(asked, { page: number + 1 }),
  };
}
const relative = (address: string | null | undefined) =>
  address ? new URL(address).search : address;

/** The answer names the address of its next page. */
export const addresses: readonly Dialect[] = [
  {
    name: 'JSON:API: links.next with meta',
    parameters: query({ 'page[after]': text, 'page[size]': size }),
    schema: object({
      data: list,
      links: object({ self: text, next: { type: ['string', 'null'] } }),
      meta: object({ page: object({ total: integer }) }),
      jsonapi: object({ version: text }),
    }),
    mediaType: 'application/vnd.api+json',
    answer(asked) {
      const { page, address } = led(asked, 'page[after]', 'page[size]');
      return {
        body: {
          data: page,
          links: { self: asked.url, next: address },
          meta: { page: { total: 45 } },
        },
      };
    },
  },
  {
    name: 'JSON:API: links.next without meta, beside what is included',
    parameters: query({ 'page[after]': text, 'page[size]': size }),
    schema: object({
      data: list,
      links: object({ next: text, prev: text }),
      included: { type: 'array', items: object({ type: text }) },
    }),
    mediaType: 'application/vnd.api+json',
    answer(asked) {
      const { page, address } = led(asked, 'page[after]', 'page[size]');
      return { body: { data: page, links: { next: address }, included: [] } };
    },
  },
  {
    name: 'JSON:API: links.next as an object',
    parameters: query({ 'page[cursor]': text, 'page[size]': size }),
    schema: object({
      data: list,
      links: object({ next: object({ href: text, meta: { type: 'object' } }) }),
    }),
    mediaType: 'application/vnd.api+json',
    answer(asked) {
      const { page, address } = led(asked, 'page[cursor]', 'page[size]');
      return { body: { data: page, links: address === null ? {} : { next: { href: address } } } };
    },
  },
  {
    name: 'JSON:API: links of no described members',
    parameters: query({ 'page[after]': text, 'page[size]': size }),
    schema: object({ data: list, links: { type: 'object', additionalProperties: text } }),
    mediaType: 'application/vnd.api+json',
    answer(asked) {
      const { page, address } = led(asked, 'page[after]', 'page[size]');
      return { body: { data: page, links: { next: address } } };
    },
  },
  {
    name: 'HAL: _links.next.href beside _embedded',
    parameters: query({ page: integer, limit: size }),
    schema: object({
      _links: object({ self: object({ href: text }), next: object({ href: text }) }),
      _embedded: object({ things: list }),
      total: integer,
    }),
    mediaType: 'application/hal+json',
    answer(asked) {
      const { page, address } = counted(asked);
      return {
        body: {
          total: 45,
          _links: { self: { href: '/things' }, ...(address && { next: { href: address } }) },
          _embedded: { things: page },
        },
      };
    },
  },
  {
    name: 'HAL: a cursor in _links.next.href, relative, without a parameter for it',
    parameters: query({ limit: size }),
    schema: object({
      count: integer,
      _links: object({ next: object({ href: text, type: text }) }),
      _embedded: object({ things: list }),
    }),
    mediaType: 'application/hal+json',
    answer(asked) {
      const { page, address } = led(asked, 'from', 'limit');
      return {
        body: {
          count: page.length,
          _links: { next: address === null ? null : { href: relative(address) } },
          _embedded: { things: page },
        },
      };
    },
  },
  {
    name: 'API Platform: HAL with itemsPerPage and totalItems',
    parameters: query({ page: integer }),
    schema: object({
      _embedded: { anyOf: [object({ item: list }), { type: 'object' }] },
      totalItems: integer,
      itemsPerPage: integer,
      _links: object({
        self: object({ href: text }),
        first: object({ href: text }),
        next: object({ href: text }),
      }),
    }),
    mediaType: 'application/hal+json',
    answer(asked) {
      const { page, address } = counted(asked);
      return {
        body: {
          totalItems: 45,
          itemsPerPage: 10,
          _links: { ...(address && { next: { href: relative(address) } }) },
          _embedded: { item: page },
        },
      };
    },
  },
  {
    name: 'API Platform: hydra:view and hydra:member',
    parameters: query({ page: integer, itemsPerPage: integer }),
    schema: object({
      'hydra:member': list,
      'hydra:totalItems': integer,
      'hydra:view': object({ '@id': text, '@type': text, 'hydra:first': text, 'hydra:next': text }),
      'hydra:search': object({
        '@type': text,
        'hydra:mapping': { type: 'array', items: object({ variable: text }) },
      }),
    }),
    mediaType: 'application/ld+json',
    answer(asked) {
      const { page, address } = counted(asked, 'itemsPerPage');
      return {
        body: {
          'hydra:member': page,
          'hydra:totalItems': 45,
          'hydra:view': { ...(address && { 'hydra:next': `/api/things${relative(address)}` }) },
        },
      };
    },
  },
  {
    name: 'API Platform: member and view.next',
    parameters: query({ page: integer, itemsPerPage: integer }),
    schema: object({
      member: list,
      totalItems: integer,
      view: object({ '@id': text, first: text, next: text }),
      search: object({ mapping: { type: 'array', items: object({ variable: text }) } }),
    }),
    mediaType: 'application/ld+json',
    answer(asked) {
      const { page, address } = counted(asked, 'itemsPerPage');
      return {
        body: {
          member: page,
          totalItems: 45,
          view: { ...(address && { next: `/things${relative(address)}` }) },
        },
      };
    },
  },
  {
    name: 'OData: @odata.nextLink with a $skiptoken that is not described',
    parameters: query({ $top: integer, $filter: text }),
    schema: object({ '@odata.context': text, '@odata.nextLink': text, value: list }),
    answer(asked) {
      const { page, address } = led(asked, '$skiptoken', '$maxpagesize');
      return { body: { value: page, ...(address !== null && { '@odata.nextLink': address }) } };
    },
  },
  {
    name: 'OData 3: odata.nextLink',
    parameters: query({ $top: integer, $skip: integer }),
    schema: object({ 'odata.metadata': text, 'odata.nextLink': text, value: list }),
    answer(asked) {
      const { page, address } = led(asked, '$skiptoken', '$maxpagesize');
      return {
        body: {
          value: page,
          ...(address !== null && { 'odata.nextLink': relative(address)?.replace('?', 'things?') }),
        },
      };
    },
  },
  {
    name: 'OData: $skiptoken as a parameter',
    parameters: query({ $skiptoken: text }),
    schema: object({ '@odata.nextLink': text, value: list }),
    answer(asked) {
      const { page, address } = led(asked, '$skiptoken', '$maxpagesize');
      return { body: { value: page, '@odata.nextLink': address } };
    },
  },
  {
    name: 'OData 2: d.results and d.__next',
    parameters: query({ $top: integer, $skip: integer }),
    schema: object({ d: object({ results: list, __next: text, __count: text }) }),
    answer(asked) {
      const { page, address } = led(asked, '$skiptoken', '$maxpagesize');
      return { body: { d: { results: page, ...(address !== null && { __next: address }) } } };
    },
  },
  {
    name: 'Django: next with a page',
    parameters: query({ page: integer }),
    schema: object({ count: integer, next: uri, previous: uri, results: list }),
    answer(asked) {
      const { page, address } = counted(asked);
      return { body: { count: 45, next: address ?? null, previous: null, results: page } };
    },
  },
  {
    name: 'Django: a cursor in next',
    parameters: query({ cursor: text, page_size: integer }),
    schema: object({ next: uri, previous: uri, results: list }),
    answer(asked) {
      const { page, address } = led(asked, 'cursor', 'page_size');
      return { body: { next: address, previous: null, results: page } };
    },
  },
  {
    name: 'Django: next of no format',
    parameters: query({ page: integer, page_size: integer }),
    schema: object({ count: integer, next: text, previous: text, results: list }),
    answer(asked) {
      const { page, address } = counted(asked, 'page_size');
      return { body: { count: 45, next: address ?? null, previous: null, results: page } };
    },
  },
  {
    name: 'Facebook: paging.next beside cursors, which the last page has too',
    parameters: query({ after: text, before: text, limit: integer }),
    schema: object({
      data: list,
      paging: object({
        cursors: object({ before: text, after: text }),
        next: text,
        previous: text,
      }),
    }),
    answer(asked) {
      const { page, address, start } = led(asked, 'after', 'limit');
      return {
        body: {
          data: page,
          paging: {
            cursors: { after: token(start + page.length), before: token(start) },
            ...(address !== null && { next: address }),
          },
        },
      };
    },
  },
  {
    name: 'Zendesk: next_page as an address',
    parameters: query({ page: integer, per_page: integer }),
    schema: object({ things: list, next_page: text, previous_page: text, count: integer }),
    answer(asked) {
      const { page, address } = counted(asked, 'per_page');
      return { body: { things: page, next_page: address ?? null, previous_page: null, count: 45 } };
    },
  },
  {
    name: 'Confluence: _links.next as a path, beside a base',
    parameters: query({ start: integer, limit: integer }),
    schema: object({
      results: list,
      start: integer,
      limit: integer,
      size: integer,
      _links: object({ base: text, next: text, self: text }),
    }),
    answer(asked) {
      const { page, start, next, size } = cut(
        whole(asked.query.get('start'), 0),
        asked.query.get('limit'),
      );
      return {
        body: {
          results: page,
          start,
          limit: size,
          size: page.length,
          _links: {
            base: 'https://site.example/wiki',
            ...(next !== undefined && { next: `/things?limit=${size}&start=${next}` }),
          },
        },
      };
    },
  },
  ...linkForms(),
];

/** Link headers as vendors write them (RFC 8288). */
function linkForms(): Dialect[] {
  const headers = { Link: { schema: text } };
  const forms: readonly (readonly [string, (address: string) => string | readonly string[]])[] = [
    [
      'several in one header',
      (next) =>
        `<http://things.internal/things?page=1>; rel="first", <${next}>; rel="next", <http://things.internal/things?page=9>; rel="last"`,
    ],
    ['an unquoted relation', (next) => `<${next}>; rel=next`],
    ['two relations of one link', (next) => `<${next}>; rel="next last"`],
    ['a relative address', (next) => `<${relative(next)}>; rel="next"`],
    ['a path alone', (next) => `</v1/things${relative(next)}>; rel=next; title="a, b"`],
    [
      'several headers',
      (next) => ['<http://things.internal/things?page=1>; rel="first"', `<${next}>; rel="next"`],
    ],
    ['capitals', (next) => `<${next}>; REL="Next"`],
  ];
  return forms.flatMap(([name, form]): Dialect[] => [
    {
      name: `Link header with a page: ${name}`,
      parameters: query({ page: integer, limit: size }),
      schema: list,
      headers,
      answer(asked) {
        const { page, address } = counted(asked);
        return { body: page, headers: address ? { link: form(address) } : {} };
      },
    },
    {
      name: `Link header alone: ${name}`,
      schema: list,
      headers,
      answer(asked) {
        const { page, address } = led(asked, 'cursor', 'limit');
        return { body: page, headers: address ? { link: form(address) } : {} };
      },
    },
  ]);
}
