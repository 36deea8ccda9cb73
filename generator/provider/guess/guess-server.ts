import { isObject } from '#contract/json';
import { type ApiOperation, apiOperations, listOf } from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { isNearby, usualScheme } from '../../read/upgrade/nearby-host.ts';
import { pathBehindPlaceholder, withVariables } from './server-placeholders.ts';

/** A base address, and whether a person has to look at it. */
export interface GuessedServer {
  readonly url: string;
  readonly review?: string;
}

/**
 * The server that most operations name for themselves, or the first one of a description that is an
 * address, one that others can reach before one that is nearby or that of its authors, its variables filled
 * with their defaults.
 * Relative ones stand beside the description itself (OpenAPI 3.1, server object); where nobody knows
 * where that is, their path is kept: what Swagger 2.0 calls `basePath` without a `host`.
 *
 * @param origin address of the description
 * @param below path below which the host there offers what is described; absent where that is its root
 */
export function guessServer(
  document: ApiDocument,
  id: string,
  origin: string | undefined,
  below?: string,
): GuessedServer {
  const own = ownServer(document, origin);
  if (own !== undefined) return { url: own, review: 'most operations name it for themselves' };
  const all = document.root.servers ?? [];
  if (all.length === 0 && origin !== undefined) return hostItself(origin, below);
  const usable = all.flatMap((server) => {
    const found = usableServer(server, origin);
    return found === undefined ? [] : [{ found, text: String(server['description'] ?? '') }];
  });
  // Those of whoever wrote the description stand first in some, before the one that others can reach.
  const isElsewhere = ({ url }: GuessedServer) => {
    const { hostname, host } = new URL(url);
    return isNearby(hostname) && !isOfOrigin({ host }, origin);
  };
  const isOpen = (found: GuessedServer) => {
    const { hostname, host } = new URL(found.url);
    return isOfOrigin({ host }, origin) || !(isElsewhere(found) || isExample(hostname));
  };
  const rank = (server: DescribedServer) =>
    2 * Number(isOpen(server.found)) + Number(!isOfAuthors(server, usable));
  const ranked = usable.toSorted((a, b) => rank(b) - rank(a));
  const [first, ...others] = securedFirst(
    ranked.map(({ found }) => found),
    origin,
  );
  if (first) {
    const known = isElsewhere(first) ? { ...first, review: ownReview(first) } : first;
    return { ...known, ...reviewOf(known, others) };
  }
  const unknown = `https://${unknownHost(id)}`;
  const relative = all.map((server) => usableServer(belowHost(server), unknown)?.url);
  const found = relative.find((url) => url?.startsWith(`${unknown}/`));
  if (found !== undefined) {
    return { url: found, review: 'the description names no host: write that of your server here' };
  }
  const isNamed = all.some((server) => namesNoAddress(server, unknown));
  const review = isNamed
    ? 'what the description names as its server is no http(s) address: write its base URL here'
    : 'the description names no server: write its base URL here';
  return { url: unknown, review };
}

/** Without any server, there is one at "/" (OpenAPI 3.1, OpenAPI object), where the description lies. */
function hostItself(origin: string, below: string | undefined): GuessedServer {
  const url = new URL(origin).origin;
  return below === undefined
    ? { url, review: 'the description names no server: this is where it was fetched' }
    : {
        url: `${url}${below}`,
        review: `the description names no server: where it was fetched, its operations answer below ${below}`,
      };
}

/** The same servers; where the first of them is named with TLS as well, that stands before it. */
function securedFirst(
  servers: readonly GuessedServer[],
  origin: string | undefined,
): readonly GuessedServer[] {
  const url = URL.parse(servers[0]?.url ?? '');
  if (url?.protocol !== 'http:' || isNearby(url.hostname) || isOfOrigin(url, origin))
    return servers;
  const wanted = servers[0]?.url.replace(/^http:/, 'https:');
  const secured = servers.filter((server) => server.url === wanted);
  return [...secured, ...servers];
}

/** What stands for a host until a person names it: a name that nobody can have (RFC 2606, section 2). */
export function unknownHost(id: string): string {
  return `${id.replaceAll('_', '-')}.example`;
}

/** Whether a server has a text where its address should stand. */
function namesNoAddress(server: Readonly<Record<string, unknown>>, base: string): boolean {
  const { url } = belowHost(server);
  if (typeof url !== 'string') return false;
  const address = URL.parse(filledAddress({ ...server, url }).filled, base);
  return !address || !/^https?:$/.test(address.protocol);
}

/** A server whose host only a deployment knows, as one of which the path alone is known. */
function belowHost(server: Readonly<Record<string, unknown>>) {
  const { filled } = filledAddress(server);
  const below = pathBehindPlaceholder(String(server['url'])) ?? pathBehindPlaceholder(filled);
  return { ...server, url: below ?? server['url'] };
}

/** How the hosts are called on which its authors try out what they write; a sandbox is for all others. */
const ofAuthors =
  /^(?:acceptatie|dev(?:el(?:op(?:ment)?)?)?|homolog(?:a[cç][aã]o)?|pre(?:live|prod(?:uction)?)|qa|stag(?:e|ing)|stg|uat)\d*$/;

/** What is said of such a host, and of the one that is meant for all others. */
const saidOfAuthors =
  /(?<!\p{L})(?:acceptatie|dev(?:el(?:opment)?)?|homologa[cç][aã]o|pre-?(?:live|prod(?:uction)?)|qa|recette|stag(?:e|ing)|test(?:ing|umgebung)?|[iu]at)(?!\p{L})|测试|テスト|検証/iu;
const saidOfOthers =
  /(?<!\p{L})(?:prod(?:ucción|uctie|uction|ução|uktion|uzione)?|live)(?!\p{L})|生产|正式|本番|운영/iu;

/** A server, and what its description says of it. */
interface DescribedServer {
  readonly found: GuessedServer;
  readonly text: string;
}

/** Whether a server is for its authors, and one for all others stands beside it. */
function isOfAuthors(server: DescribedServer, all: readonly DescribedServer[]): boolean {
  const isSaid = saidOfAuthors.test(server.text) && !/\bsandbox\b/i.test(server.text);
  if (isSaid && all.some(({ text }) => saidOfOthers.test(text) && !saidOfAuthors.test(text))) {
    return true;
  }
  const isTrial = ({ hostname }: URL) =>
    hostname.split(/[.-]/).some((part) => ofAuthors.test(part));
  const own = new URL(server.found.url);
  return (
    isTrial(own) &&
    all.some((other) => {
      const found = new URL(other.found.url);
      const isBeside = domainOf(found) === domainOf(own) && found.pathname === own.pathname;
      return isBeside && !isTrial(found);
    })
  );
}

function domainOf({ hostname }: URL): string {
  return hostname.split('.').slice(-2).join('.');
}

/** The server that most operations, or their paths, name for themselves in the place of the usual one. */
export function ownServer(document: ApiDocument, origin: string | undefined): string | undefined {
  const { all } = apiOperations(document);
  const usual = (document.root.servers ?? []).map((each) => usableServer(each, origin)?.url);
  const named = all.map((operation) =>
    serversOf(operation).flatMap((each) => usableServer(each, origin)?.url ?? []),
  );
  const others = named.flatMap((urls) =>
    urls.some((url) => usual.includes(url)) ? [] : urls.slice(0, 1),
  );
  const votes = [...Map.groupBy(others, (url) => url)].map(
    ([url, { length }]) => [url, length] as const,
  );
  return votes.find(([, count]) => count * 2 > all.length)?.[0];
}

/** The servers that an operation, or else its path, has for itself (OpenAPI 3.1, operation object). */
export function serversOf({ node, pathItem }: ApiOperation): readonly Record<string, unknown>[] {
  const places = [node, pathItem.node].map((place) => listOf(place['servers']));
  return (places.find((servers) => servers.length > 0) ?? []).filter(isObject);
}

/** So many other servers are named to whoever has to choose. */
const mostNamed = 3;

/** What a person has to know of a host that only the network of whoever wrote the description knows. */
function ownReview({ review = 'taken from the description' }: GuessedServer): string {
  return `${review}; only its own network knows this host: write that of yours`;
}

/** The other servers that a description names: the first may be a sandbox, or that of a few operations. */
function reviewOf({ url, review }: GuessedServer, others: readonly GuessedServer[]) {
  const named = new Set(others.map((other) => other.url));
  named.delete(url);
  if (named.size === 0) return {};
  const shown = [...named].slice(0, mostNamed).join(', ');
  return { review: `${review ?? 'taken from the description'}; it also names ${shown}` };
}

/** A server object as the address that requests begin with; nothing where it is none. */
export function usableServer(
  server: Readonly<Record<string, unknown>>,
  origin: string | undefined,
): GuessedServer | undefined {
  if (typeof server['url'] !== 'string') return undefined;
  const variables = variablesOf(server);
  // Where the description lies is no better guess of it: a credential would go there.
  if (pathBehindPlaceholder(server['url']) !== undefined) return undefined;
  const { filled, unset } = filledAddress(server);
  if (pathBehindPlaceholder(filled) !== undefined) return undefined;
  // An empty address stands in front of paths that begin at the root, as none does.
  const url = URL.parse(filled === '' ? '/' : filled, origin);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined;
  if (!isAsItIs(url, origin)) url.protocol = 'https:';
  const dropped = [...new Set(url.searchParams.keys())].filter((name) =>
    /^[\w.-]{1,40}$/.test(name),
  );
  for (const part of ['username', 'password', 'search', 'hash'] as const) url[part] = '';
  const names = Object.keys(variables).filter(
    (name) => usualValue(variables[name]) !== undefined && !unset.includes(name),
  );
  const reviews = [
    ...(names.length === 0 ? [] : [`${names.join(', ')} took the default value`]),
    ...unset.map((name) => `${name} has no value: write yours`),
    ...(dropped.length === 0
      ? []
      : [
          `${dropped.slice(0, mostNamed).join(', ')} of its query is left out, for it may be a secret: write a constant into query of this file`,
        ]),
  ];
  const review = reviews.length === 0 ? {} : { review: reviews.join('; ') };
  return { url: url.href.replace(/(?<!\/)\/+$/, ''), ...review };
}

function variablesOf({ variables }: Readonly<Record<string, unknown>>) {
  return isObject(variables) ? variables : {};
}

/** The address of a server with the values of its variables, and those that have none. */
function filledAddress(server: Readonly<Record<string, unknown>>) {
  const variables = variablesOf(server);
  const unset: string[] = [];
  const fill = (found: string, name: string, at: number, address: string) => {
    const usual = usualValue(variables[name]);
    // An empty part of a name is no host: `https://{tenant}.acme.example` with a default of "".
    const isPart = /[/.]$/.test(address.slice(0, at)) && address[at + found.length] === '.';
    // In front stands what the description does not know: a whole address.
    if (at === 0 || (usual !== undefined && !(usual === '' && isPart))) return usual ?? '';
    unset.push(name);
    // Left out, it would make another host of what is around it.
    return asLabel(name);
  };
  const defaults = withVariables(String(server['url'])).replace(/\{([^{}]*)\}/g, fill);
  // The default of a variable may have a place of its own: `{TENANT}.acme.example`.
  const values = withVariables(defaults).replace(/\{([^{}]*)\}/g, (_, name: string) => {
    unset.push(name);
    return asLabel(name);
  });
  const isEmpty = Object.values(variables).some((variable) => usualValue(variable) === '');
  return { filled: withScheme(isEmpty ? joined(values) : values), unset };
}

/** A host and perhaps a port where an address should begin: `localhost:8080/api`, `api.acme.example/v1`. */
const bareHost = /^(?:localhost|\d+(?:\.\d+){3}|(?:[a-z\d-]+\.)+[a-z]{2,})(?::\d+)?(?=\/|$)/i;

/** Files beside the description, which names of hosts must not be taken for. */
const fileName = /^[^/]*\.(?:json|ya?ml|html?|php|aspx?|jsp)$/i;

/** A server that lacks its scheme is the host that it begins with: frameworks ask for one alone. */
function withScheme(url: string): string {
  const [host] = bareHost.exec(url) ?? [];
  if (host === undefined || fileName.test(host)) return url;
  return `${usualScheme(host)}://${url}`;
}

/**
 * Public names are reached over TLS; a machine nearby, or where the description lies, may do without,
 * unless it has just given the description so.
 */
function isAsItIs(url: URL, origin: string | undefined): boolean {
  if (isOfOrigin(url, origin)) return URL.parse(origin ?? '')?.protocol !== 'https:';
  return isNearby(url.hostname) || url.port !== '';
}

/** Names that are kept for examples (RFC 2606, sections 2 and 3). */
function isExample(hostname: string): boolean {
  return /(?:^|\.)example(?:\.(?:com|net|org))?$/.test(hostname);
}

/** Whether an address is that of the host where the description lies. */
function isOfOrigin({ host }: Pick<URL, 'host'>, origin: string | undefined): boolean {
  return origin !== undefined && URL.parse(origin)?.host === host;
}

function usualValue(variable: unknown): string | undefined {
  if (!isObject(variable)) return undefined;
  const { default: usual, enum: choices } = variable;
  const value: unknown = usual ?? (Array.isArray(choices) ? choices[0] : undefined);
  return value === undefined || value === null ? undefined : String(value);
}

/** Where a value between two slashes is empty, one of them is meant: behind a scheme both are. */
function joined(url: string): string {
  return url.replace(/(?<=[^:/])\/{2,}/g, '/');
}

/** The name of a variable as a host and a path can hold it. */
function asLabel(name: string): string {
  const label = name.toLowerCase().replace(/[^a-z\d]+/g, '-');
  return label.replace(/^-|-$/g, '') || 'x';
}
