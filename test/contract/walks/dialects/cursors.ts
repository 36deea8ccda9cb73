import {
  after,
  cut,
  type Dialect,
  flag,
  integer,
  list,
  object,
  query,
  Refusal,
  size,
  startOf,
  text,
  token,
} from '../dialect.ts';

const id = (at: readonly { readonly id: string }[]) => at.at(-1)?.id;
const tokenOf = (next: number | undefined) => (next === undefined ? undefined : token(next));

/** What the next page begins with comes in the answer, or is the id of its last item. */
export const cursors: readonly Dialect[] = [
  {
    name: 'Google: pageToken and nextPageToken',
    parameters: query({ pageToken: text, maxResults: size }),
    schema: object({ kind: text, nextPageToken: text, items: list }),
    answer({ query }) {
      const { page, next } = cut(startOf(query.get('pageToken')), query.get('maxResults'));
      return { body: { kind: 'list', items: page, nextPageToken: tokenOf(next) } };
    },
  },
  {
    name: 'a token in a header of the answer and of the request',
    parameters: [
      { name: 'x-continuation', in: 'header', schema: text },
      ...query({ maxItems: size }),
    ],
    schema: object({ documents: list }),
    headers: { 'x-continuation': { schema: text } },
    answer({ headers, query }) {
      const { page, next } = cut(startOf(headers['x-continuation']), query.get('maxItems'));
      const told = next === undefined ? {} : { headers: { 'x-continuation': token(next) } };
      return { body: { documents: page }, ...told };
    },
  },
  {
    name: 'a token in the answer and in a header of the request',
    parameters: [
      { name: 'x-continuation-token', in: 'header', schema: text },
      ...query({ pageSize: size }),
    ],
    schema: object({ documents: list, continuationToken: text }),
    answer({ headers, query }) {
      const { page, next } = cut(startOf(headers['x-continuation-token']), query.get('pageSize'));
      return { body: { documents: page, continuationToken: tokenOf(next) } };
    },
  },
  {
    name: 'two parts of a key that go on together',
    parameters: query({ last_id: text, last_ts: text, limit: size }),
    schema: object({ documents: list }),
    obstacle: /"last_id" and "last_ts" go on together/,
    answer: ({ query }) => ({ body: { documents: cut(0, query.get('limit')).page } }),
  },
  {
    name: 'Stripe: has_more and starting_after',
    parameters: query({ starting_after: text, ending_before: text, limit: size }),
    schema: object({ object: text, data: list, has_more: flag, url: text }),
    answer({ query }) {
      const { page, next } = cut(after(query.get('starting_after')), query.get('limit'));
      return { body: { object: 'list', data: page, has_more: next !== undefined } };
    },
  },
  {
    name: 'Stripe: starting_after beside a list without has_more',
    parameters: query({ starting_after: text, limit: size }),
    schema: object({ data: list }),
    answer: ({ query }) => ({
      body: { data: cut(after(query.get('starting_after')), query.get('limit')).page },
    }),
  },
  {
    name: 'starting_after_id, and more_starting_after beside has_more',
    parameters: query({ starting_after_id: text, limit: size }),
    schema: object({ object: text, data: list, has_more: flag, more_starting_after: text }),
    answer({ query }) {
      const { page, next } = cut(after(query.get('starting_after_id')), query.get('limit'));
      const has_more = next !== undefined;
      return { body: { data: page, has_more, ...(has_more && { more_starting_after: id(page) }) } };
    },
  },
  {
    name: 'starting_after the id of items that have several forms',
    parameters: query({ starting_after: text, limit: size }),
    schema: object({
      data: { type: 'array', items: { oneOf: [list.items, list.items] } },
      has_more: flag,
    }),
    answer({ query }) {
      const { page, next } = cut(after(query.get('starting_after')), query.get('limit'));
      return { body: { data: page, has_more: next !== undefined } };
    },
  },
  {
    name: 'Figma: after as a number, and the list with its cursor in meta',
    parameters: query({
      after: { type: 'number' },
      before: { type: 'number' },
      page_size: size,
    }),
    schema: object({
      status: integer,
      error: flag,
      meta: object({
        components: list,
        cursor: object({ before: { type: 'number' }, after: { type: 'number' } }),
      }),
    }),
    answer({ query }) {
      const { page, next } = cut(whole(query.get('after')), query.get('page_size'));
      const cursor = next === undefined ? {} : { after: next };
      return { body: { status: 200, error: false, meta: { components: page, cursor } } };
    },
  },
  {
    name: 'Relay: pageInfo with endCursor and hasNextPage',
    parameters: query({ after: text, before: text, first: size, last: integer }),
    schema: object({
      edges: { type: 'array', items: object({ cursor: text, node: list.items }) },
      pageInfo: object({
        endCursor: text,
        startCursor: text,
        hasNextPage: flag,
        hasPreviousPage: flag,
      }),
    }),
    answer({ query }) {
      const { page, start, next, size } = cut(startOf(query.get('after')), query.get('first'));
      const pageInfo = {
        hasNextPage: next !== undefined,
        endCursor: token(start + size),
        startCursor: token(start),
      };
      return {
        body: {
          edges: page.map((node, at) => ({ node, cursor: token(start + at + 1) })),
          pageInfo,
        },
      };
    },
  },
  {
    name: 'Relay: page_info in snake case, where the last page has a cursor too',
    parameters: query({ after: text, limit: size }),
    schema: object({ data: list, page_info: object({ end_cursor: text, has_next_page: flag }) }),
    answer({ query }) {
      const { page, start, next } = cut(startOf(query.get('after')), query.get('limit'));
      return {
        body: {
          data: page,
          page_info: { end_cursor: token(start + page.length), has_next_page: next !== undefined },
        },
      };
    },
  },
  {
    name: 'Kubernetes: continue in metadata',
    parameters: query({ continue: text, limit: integer }),
    schema: object({
      kind: text,
      metadata: object({ continue: text, remainingItemCount: integer }),
      items: list,
    }),
    answer({ query }) {
      const { page, next } = cut(startOf(query.get('continue')), query.get('limit'));
      return { body: { kind: 'List', metadata: { continue: tokenOf(next) ?? '' }, items: page } };
    },
  },
  {
    name: 'Slack: cursor and response_metadata.next_cursor, empty at the end',
    parameters: query({ cursor: text, limit: integer }),
    schema: object({ ok: flag, members: list, response_metadata: object({ next_cursor: text }) }),
    answer({ query }) {
      const { page, next } = cut(startOf(query.get('cursor') || null), query.get('limit'));
      return {
        body: { ok: true, members: page, response_metadata: { next_cursor: tokenOf(next) ?? '' } },
      };
    },
  },
  {
    name: 'Twitter: pagination_token and meta.next_token',
    parameters: query({ pagination_token: text, max_results: size }),
    schema: object({
      data: list,
      meta: object({ result_count: integer, next_token: text, previous_token: text }),
    }),
    answer({ query }) {
      const { page, next } = cut(startOf(query.get('pagination_token')), query.get('max_results'));
      return {
        body: { data: page, meta: { result_count: page.length, next_token: tokenOf(next) } },
      };
    },
  },
  {
    name: 'Airtable: offset as a text that the answer repeats',
    parameters: query({ offset: text, pageSize: size }),
    schema: object({ records: list, offset: text }),
    answer({ query }) {
      const { page, next } = cut(startOf(query.get('offset')), query.get('pageSize'));
      return { body: { records: page, offset: tokenOf(next) } };
    },
  },
  {
    name: 'HubSpot: paging.next.after',
    parameters: query({ after: text, limit: size }),
    schema: object({
      results: list,
      paging: object({ next: object({ after: text, link: text }) }),
    }),
    answer({ query }) {
      const { page, next } = cut(whole(query.get('after')), query.get('limit'));
      return {
        body: {
          results: page,
          ...(next !== undefined && { paging: { next: { after: String(next) } } }),
        },
      };
    },
  },
  {
    name: 'Datadog: page[cursor] and meta.page.after',
    parameters: query({ 'page[cursor]': text, 'page[limit]': size }),
    schema: object({ data: list, meta: object({ page: object({ after: text }) }) }),
    answer({ query }) {
      const { page, next } = cut(startOf(query.get('page[cursor]')), query.get('page[limit]'));
      return { body: { data: page, meta: { page: { after: tokenOf(next) } } } };
    },
  },
  {
    name: 'Jira: nextPageToken beside isLast',
    parameters: query({ nextPageToken: text, maxResults: size }),
    schema: object({ isLast: flag, issues: list, nextPageToken: text }),
    answer({ query }) {
      const { page, next } = cut(startOf(query.get('nextPageToken')), query.get('maxResults'));
      return { body: { issues: page, isLast: next === undefined, nextPageToken: tokenOf(next) } };
    },
  },
  {
    name: 'a header with the token of the next page',
    parameters: query({ page_token: text, page_size: size }),
    schema: list,
    headers: { 'X-Next-Page-Token': { schema: text } },
    answer({ query }) {
      const { page, next } = cut(startOf(query.get('page_token')), query.get('page_size'));
      return {
        body: page,
        ...(next !== undefined && { headers: { 'x-next-page-token': token(next) } }),
      };
    },
  },
  {
    name: 'search-after: the value of the last item, told by name',
    parameters: query({ 'search-after': text, limit: size, sort: text }),
    schema: object({
      summary: object({ 'search-after': text, hits: integer, limit: integer }),
      data: list,
    }),
    answer({ query }) {
      const { page } = cut(after(query.get('search-after')), query.get('limit'));
      return { body: { summary: { hits: 45, 'search-after': id(page) }, data: page } };
    },
  },
  {
    name: 'search_after: a list of values that the answer repeats',
    obstacle: /"search_after" is no single value/,
    parameters: query({ search_after: { type: 'array', items: text }, limit: size }),
    schema: object({ hits: list, search_after: { type: 'array', items: text } }),
    answer({ query }) {
      const [, last] = query.getAll('search_after');
      const { page } = cut(after(last), query.get('limit'));
      return {
        body: { hits: page, search_after: page.length > 0 ? [page.at(-1)?.created, id(page)] : [] },
      };
    },
  },
  {
    name: 'two parts of a key: after_date and after_id',
    obstacle: /"after_date" and "after_id" go on together/,
    parameters: query({ after_date: text, after_id: text, limit: size }),
    schema: object({ things: list, next: object({ after_date: text, after_id: text }) }),
    answer({ query }) {
      if (query.has('after_id') !== query.has('after_date'))
        throw new Refusal('after_date and after_id come together');
      const { page, next } = cut(after(query.get('after_id')), query.get('limit'));
      const last = page.at(-1);
      return {
        body: {
          things: page,
          ...(next !== undefined && { next: { after_date: last?.created, after_id: last?.id } }),
        },
      };
    },
  },
  {
    name: 'DynamoDB: LastEvaluatedKey as a text',
    parameters: query({ exclusiveStartKey: text, limit: size }),
    schema: object({ items: list, lastEvaluatedKey: text }),
    answer({ query }) {
      const { page, next } = cut(startOf(query.get('exclusiveStartKey')), query.get('limit'));
      return { body: { items: page, lastEvaluatedKey: tokenOf(next) } };
    },
  },
  {
    name: 'S3: marker, NextMarker and IsTruncated',
    parameters: query({ marker: text, 'max-keys': size }),
    schema: object({
      IsTruncated: flag,
      NextMarker: text,
      Contents: list,
      Name: text,
      Prefix: text,
    }),
    answer({ query }) {
      const { page, next } = cut(after(query.get('marker')), query.get('max-keys'));
      return {
        body: {
          IsTruncated: next !== undefined,
          NextMarker: next === undefined ? '' : id(page),
          Contents: page,
          Name: 'b',
        },
      };
    },
  },
  {
    name: 'S3: marker without NextMarker: the last key',
    obstacle: /nothing in the answer is described as the next "marker"/,
    parameters: query({ marker: text, limit: size }),
    schema: object({ is_truncated: flag, things: list }),
    answer({ query }) {
      const { page, next } = cut(after(query.get('marker')), query.get('limit'));
      return { body: { is_truncated: next !== undefined, things: page } };
    },
  },
];

function whole(text: string | null): number {
  if (text === null) return 0;
  if (!/^\d+$/.test(text)) throw new Refusal(`no number: ${text}`);
  return Number(text);
}
