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

const links = { type: 'array', items: object({ rel: text, href: text }) };

/** A page, and its links: to itself, to the next one, and to what no list goes on at. */
function linked(asked: Asked, sizeName = 'limit') {
  const { page, next } = cut(startOf(asked.query.get('from')), asked.query.get(sizeName));
  const address = next === undefined ? undefined : leading(asked, { from: token(next) });
  const self = { rel: 'self', href: asked.url };
  const help = { rel: ['help', 'next-steps'], href: 'https://things.example/help' };
  return {
    page,
    address,
    links: [self, help, ...(address ? [{ rel: 'next', href: address }] : [])],
  };
}

/** The address of the next page is one of several links, each with the relation that it stands for. */
export const linkLists: readonly Dialect[] = [
  {
    name: 'links as a list of relations and addresses, beside the number of the page',
    parameters: query({ page: integer, limit: size }),
    schema: object({ things: list, links }),
    answer(asked) {
      const number = whole(asked.query.get('page'), 1, 1);
      const each = whole(asked.query.get('limit'), 10, 1);
      return { body: { things: cut((number - 1) * each, each).page, links: [] } };
    },
  },
  {
    name: 'links as a list of relations, a cursor that no parameter takes',
    parameters: query({ limit: size }),
    schema: object({ things: list, links }),
    answer(asked) {
      const { page, links } = linked(asked);
      return { body: { things: page, links } };
    },
  },
  {
    name: 'STAC: links with a method, a token that nothing in the answer names',
    parameters: query({ next: text, limit: size }),
    schema: object({
      type: text,
      features: list,
      links: { type: 'array', items: object({ rel: text, href: text, method: text }) },
    }),
    answer(asked) {
      const { page, address } = linked(asked);
      const posted = { rel: 'next', method: 'POST', href: asked.url };
      const got = { rel: 'next', method: 'GET', href: address };
      return {
        body: {
          type: 'FeatureCollection',
          features: page,
          links: address ? [posted, got] : [],
        },
      };
    },
  },
  {
    name: 'SumUp: the query of the next page alone, as an address',
    parameters: query({ limit: size }),
    schema: object({ items: list, links }),
    answer(asked) {
      const { page, address } = linked(asked);
      const href = address && new URL(address).search.slice(1);
      return { body: { items: page, links: href ? [{ rel: 'next', href }] : [] } };
    },
  },
  {
    name: 'FHIR: Bundle.link with relation and url',
    parameters: query({ _count: size, name: text }),
    schema: object({
      resourceType: text,
      total: integer,
      link: { type: 'array', items: object({ relation: text, url: text }) },
      entry: { type: 'array', items: object({ resource: list.items }) },
    }),
    mediaType: 'application/fhir+json',
    answer(asked) {
      const { page, links } = linked(asked, '_count');
      const link = links.map(({ rel, href }) => ({ relation: String(rel), url: href }));
      const entry = page.map((resource) => ({ resource }));
      return { body: { resourceType: 'Bundle', total: 45, link, entry } };
    },
  },
  {
    name: 'links of a search by POST, which are got',
    obstacle: /only those of a GET are followed/,
    method: 'post',
    members: { q: text },
    schema: object({ things: list, links }),
    answer(asked) {
      const { page, links } = linked(asked);
      return { body: { things: page, links } };
    },
  },
];
