/** One thing in the list of a vendor. */
export interface Thing {
  readonly id: string;
  readonly name: string;
  readonly created: string;
}

/** A request for a page, as the vendor sees it. */
export interface Asked {
  readonly query: URLSearchParams;
  /** The members of its body; none where it has no JSON in it. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Where the list stands, as the vendor knows it: without what a proxy has put in front. */
  readonly url: string;
}

export interface Told {
  readonly body: unknown;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** How a vendor pages: what its description says of that, and what it does. */
export interface Dialect {
  readonly name: string;
  readonly method?: 'get' | 'post';
  readonly parameters?: readonly object[];
  /** Of a request in JSON. */
  readonly members?: Readonly<Record<string, object>>;
  /** Those of them that no request leaves out. */
  readonly required?: readonly string[];
  /** Of the answer. */
  readonly schema: object;
  readonly mediaType?: string;
  readonly status?: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly description?: string;
  /** What `check` says where nobody reaches the second page. */
  readonly obstacle?: RegExp;
  /** @throws Refusal */
  readonly answer: (asked: Asked) => Told;
}

/** What a vendor says of a request that is not as it wants it. */
export class Refusal extends Error {}

/** All that there is, in the order in which it is told. */
export const things: readonly Thing[] = Array.from({ length: 45 }, (_, at) => ({
  id: `t${String(at * 7 + 100)}`,
  name: `Thing ${at}`,
  // Several were made on one day.
  created: `2026-01-${String(1 + Math.floor(at / 4)).padStart(2, '0')}`,
}));

export const total = things.length;

/** As many as come unasked, and as many as come at most. */
export const sizes = { usual: 10, most: 20 } as const;

/** The whole number of a parameter. @throws Refusal */
export function whole(text: unknown, otherwise: number, least = 0): number {
  if (text === null || text === undefined) return otherwise;
  if (!/^\d+$/.test(String(text)) || Number(text) < least) throw new Refusal(`no number: ${text}`);
  return Number(text);
}

/** A page, and where the next one begins; nowhere after the last one. */
export interface Cut {
  readonly page: readonly Thing[];
  readonly start: number;
  readonly size: number;
  readonly next: number | undefined;
}

export function cut(start: number, asked: unknown = undefined): Cut {
  const size = Math.min(whole(asked, sizes.usual, 1), sizes.most);
  const page = things.slice(start, start + size);
  return { page, start, size, next: start + size < things.length ? start + size : undefined };
}

/** So many pages there are, each of so many. */
export const pages = (size: number): number => Math.ceil(total / size);

/** A position that callers cannot count, and that addresses have to encode. */
export const token = (start: number): string => Buffer.from(`>>>?at=${start}`).toString('base64');

/** @throws Refusal for a token that was never given */
export function startOf(text: unknown): number {
  if (text === null || text === undefined) return 0;
  const start = /^>>>\?at=(\d+)$/.exec(Buffer.from(String(text), 'base64').toString())?.[1];
  if (start === undefined || token(Number(start)) !== text) throw new Refusal(`no token: ${text}`);
  return Number(start);
}

/** The index behind the thing of an id. @throws Refusal */
export function after(id: unknown): number {
  if (id === null || id === undefined) return 0;
  const at = things.findIndex((thing) => thing.id === id);
  if (at < 0) throw new Refusal(`no id: ${id}`);
  return at + 1;
}

/** The address of the list with other parameters in its query; those of the request stay. */
export function leading({ url, query }: Asked, changes: Readonly<Record<string, unknown>>): string {
  const next = new URL(url);
  for (const [name, value] of query) next.searchParams.set(name, value);
  for (const [name, value] of Object.entries(changes)) next.searchParams.set(name, String(value));
  return next.href;
}

export const text = { type: 'string' };
export const flag = { type: 'boolean' };
export const integer = { type: 'integer' };
export const thing = { type: 'object', properties: { id: text, name: text, created: text } };
export const list = { type: 'array', items: thing };
export const object = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties,
});
/** Optional parameters of the query. */
export const query = (parameters: Readonly<Record<string, object>>) =>
  Object.entries(parameters).map(([name, schema]) => ({ name, in: 'query', schema }));
/** How many items a page has. */
export const size = { type: 'integer', minimum: 1, maximum: sizes.most, default: sizes.usual };
