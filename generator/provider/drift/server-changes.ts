import { isObject } from '#contract/json';
import { type ApiOperation, listOf, resolve } from '../../model/schema/api-operations.ts';
import type { CuratedServer, Curation } from '../../model/shape/curation.ts';
import { usableServer } from '../guess/guess-server.ts';
import { type Described, isSamePath, unnamed } from './described.ts';
import type { Told } from './drift-change.ts';

/** Stands for what a variable of a server holds. */
const anything = 'any-value';

/** Where requests of an operation go, as far as a description says it. */
export interface Address {
  readonly base: string;
  readonly path: string;
}

type Node = ApiOperation['node'];

interface Moving {
  readonly was: ApiOperation;
  readonly now: ApiOperation;
  readonly server: CuratedServer;
}

/**
 * What has become of the address of an operation: of its server, its path or both. A part of the
 * path that has become a part of the server's address is no change.
 */
export function addressChanges(
  { was, now, server }: Moving,
  { self_hosted: isSelfHosted = false }: Pick<Curation, 'self_hosted'>,
  [kept, later]: readonly [Described, Described],
): readonly Told[] {
  const { url } = server;
  const after = addressesIn(later, now);
  const own = addressesOf([url], was.path);
  const sides = [kept, later] as const;
  if (isAddress(own, after, isSelfHosted)) {
    return [...methodChange(was, now), ...usualChange({ was, now, server }, sides, isSelfHosted)];
  }
  const isMoved = !isSamePath(was.path, now.path) || was.method !== now.method;
  const request: Told = {
    kind: 'altered',
    text: `request is ${now.method} ${now.path}, not ${was.method} ${was.path}`,
    pointer: now.pointer,
    breaks: true,
  };
  const told = serversOf(later, now).map(urlOf);
  const isBase = isAddress(own.map(atRoot), after.map(atRoot), isSelfHosted);
  const before = addressesIn(kept, was);
  // What a description said otherwise all along is no news.
  const wasNamed = isAddress(own.map(atRoot), before.map(atRoot), isSelfHosted);
  const isNews =
    before.length === 0 || wasNamed || !isAddress(before.map(atRoot), after.map(atRoot));
  if (told.length === 0 && wasNamed) {
    return [...(isMoved ? [request] : []), unnamedServer({ now, url }, later)];
  }
  if (told.length === 0 || isBase || !isNews) return isMoved ? [request] : [];
  const text = `base URL is ${told.join(' or ')}, not ${url} (servers in curation.yaml)`;
  const base: Told = {
    kind: 'altered',
    text,
    pointer: serverPointer(later, now),
    breaks: true,
    curated: true,
  };
  return isMoved ? [request, base] : [base];
}

function unnamedServer({ now, url }: Pick<Moving, 'now'> & CuratedServer, later: Described): Told {
  const text = `no base URL is named now; it was ${url} (servers in curation.yaml)`;
  const beside = { pointer: serverPointer(later, now), breaks: false, curated: true };
  return { ...beside, kind: 'altered', text };
}

/** Tools go on with their server while it is named; that another one is the usual one is told. */
function usualChange(
  { was, now, server: { url } }: Moving,
  [kept, later]: readonly [Described, Described],
  isSelfHosted: boolean,
): Told[] {
  const [before, after] = [usualIn(kept, was), usualIn(later, now)];
  if (before === undefined || after === undefined) return [];
  const [old, own] = [addressesOf([before], was.path), addressesOf([after], now.path)];
  const isUsed = isAddress(addressesOf([url], was.path), old, isSelfHosted);
  if (!isUsed) return [];
  const isSame = isAddress(old, own, isSelfHosted);
  if (isSame && (isSelfHosted || schemeOf(before) === schemeOf(after))) return [];
  const still = isSame ? '' : ', which is named still';
  const text = `the usual base URL is ${after} now, not ${before}${still} (servers in curation.yaml)`;
  const beside = { pointer: serverPointer(later, now), breaks: false, curated: true };
  return [{ ...beside, kind: 'altered', text }];
}

function schemeOf(url: string): string | undefined {
  return URL.parse(url)?.protocol;
}

/** The first server that is an address, its variables filled with their defaults. */
function usualIn(described: Described, operation: ApiOperation): string | undefined {
  const servers = serversOf(described, operation);
  return servers.flatMap((server) => usableServer(server, described.origin)?.url ?? [])[0];
}

function methodChange(was: ApiOperation, now: ApiOperation): Told[] {
  if (was.method === now.method) return [];
  const text = `request is ${now.method} ${now.path}, not ${was.method} ${was.path}`;
  return [{ kind: 'altered', text, pointer: now.pointer, breaks: true }];
}

function atRoot({ base }: Address): Address {
  return { base, path: '' };
}

/** The nearest place that may name servers (OpenAPI 3.1, operation object, path item object). */
function serverPointer(
  { document: { version } }: Described,
  { node, pathItem, pointer }: ApiOperation,
): string {
  // Swagger 2.0 says it at the top, in parts.
  if (version === '2.0') return '/host';
  if (listOf(node['servers']).length > 0) return `${pointer}/servers`;
  return listOf(pathItem.node['servers']).length > 0 ? `${pathItem.pointer}/servers` : '/servers';
}

/** The servers of an operation, its own before those of its path and of all. */
function serversOf({ document }: Described, { node, pathItem }: ApiOperation): Node[] {
  const lists = [node['servers'], pathItem.node['servers'], document.root.servers].map(listOf);
  const found = lists.find(({ length }) => length > 0) ?? [];
  return found.map((server) => resolve(document, { node: server, pointer: '' }).node);
}

/**
 * Where requests of an operation go, as its description says it: with any value in place of the
 * variables, and with the one that is usual, which may hold slashes or be a scheme.
 */
export function addressesIn(described: Described, operation: ApiOperation): readonly Address[] {
  const origin = described.origin ?? `https://${anything}`;
  const servers = serversOf(described, operation);
  const usual = servers.flatMap((server) => usableServer(server, origin)?.url ?? []);
  const all = [...servers.flatMap(urlsOf), ...usual];
  return addressesOf(all, operation.path, origin);
}

function urlOf({ url }: Node): string {
  return String(url);
}

/** So many addresses are made of the listed values of variables. */
const mostAddresses = 64;

/** An address with each of the values that its variables list; the others may hold anything. */
function urlsOf({ url, variables }: Node): string[] {
  const given = isObject(variables) ? Object.entries(variables) : [];
  return given.reduce<string[]>(
    (all, [name, variable]) => {
      const values = isObject(variable) && Array.isArray(variable['enum']) ? variable['enum'] : [];
      if (values.length === 0 || all.length * values.length > mostAddresses) return all;
      return all.flatMap((one) => values.map((value) => one.replaceAll(`{${name}}`, `${value}`)));
    },
    [String(url)],
  );
}

/** Where requests to a path of these servers go; nothing where a server is no address. */
export function addressesOf(
  servers: readonly string[],
  path: string,
  origin?: string,
): readonly Address[] {
  const found = servers.map((url) => URL.parse(url.replace(/\{[^{}]*\}/g, anything), origin));
  return found.flatMap((url) => (url?.host ? [{ base: baseOf(url), path: unnamed(path) }] : []));
}

/** An address without its scheme: descriptions write http where the vendor speaks TLS. */
function baseOf({ host, pathname }: URL): string {
  return host + pathname.replace(/(?<!\/)\/+$/, '');
}

/** Whether one of the addresses is among the others; the host of what one installs is in none. */
export function isAddress(
  own: readonly Address[],
  others: readonly Address[],
  isSelfHosted = false,
): boolean {
  const text = ({ base, path }: Address) => {
    const whole = base + path;
    return isSelfHosted ? whole.slice(whole.indexOf('/')) : whole;
  };
  return own.some((one) =>
    others.some((other) => matches(text(one), text(other)) || matches(text(other), text(one))),
  );
}

function matches(address: string, pattern: string): boolean {
  if (!pattern.includes(anything)) return address === pattern;
  const parts = pattern.split(anything).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('[^/]*')}$`).test(address);
}
