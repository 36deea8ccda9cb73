import { ToolError } from '#contract/errors';
import type { ToolRequest } from '#contract/request';
import type { VendorTool } from '#contract/tool';
import { acceptedEncodings } from '../call/decompress.ts';
import type { WireRequest } from '../call/exchange.ts';
import { checkHeader } from '../connection/header-safety.ts';
import { locate, type ServerAddress } from '../connection/server-address.ts';
import { encodeBody } from './body-encoding.ts';
import type { ProviderLink } from './provider-link.ts';
import { encodeFields, withQuery } from './query-encoding.ts';

/** A request that is ready to go, but for the credential. */
export interface Outgoing {
  readonly method: string;
  readonly server: ServerAddress;
  readonly url: URL;
  /** Headers beyond those that every request of the tool carries, names in lower case. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body: WireRequest['body'];
}

/** The headers that every request of one tool carries, flattened once. */
export interface BaseHeaders {
  readonly plain: Readonly<Record<string, string>>;
  readonly withCredential: Readonly<Record<string, string>>;
  readonly flat: readonly string[];
}

/** Work out the headers of a tool's requests. */
export function baseHeaders(link: ProviderLink, tool: VendorTool): BaseHeaders {
  // A constant Content-Type speaks of bodies; it is sent with them (jsonType).
  const { 'content-type': _, ...constant } = link.headers;
  const plain = {
    accept: acceptedTypes(tool),
    'accept-encoding': acceptedEncodings,
    ...constant,
  };
  const withCredential = { ...plain, ...link.credential.headers };
  return { plain, withCredential, flat: flatten(withCredential) };
}

/** Names and values by turns, as undici takes them. */
export function flatten(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flat();
}

/**
 * Encode what a tool's request builder describes.
 *
 * @throws ToolError `invalid_arguments`
 */
export function encodeRequest(link: ProviderLink, request: ToolRequest): Outgoing {
  const server = serverOf(link, request.server);
  requireNoCredential(request.query, link);
  const query = encodeFields({ ...request.query, ...link.query });
  const path = withQuery(request.path, joinQuery(query, continuation(link, request, query)));
  const url = locate(server, path);
  const headers = checkedHeaders(request.headers, link);
  if (request.body === undefined) {
    return { method: request.method, server, url, headers, body: null };
  }
  const jsonType = link.headers['content-type'] ?? 'application/json';
  const { body, contentType } = encodeBody(request.body, {
    jsonType,
    fileBytes: link.limits.fileBytes,
  });
  const typed = contentType === undefined ? headers : { 'content-type': contentType, ...headers };
  return { method: request.method, server, url, headers: typed, body };
}

function serverOf(link: ProviderLink, id: string | undefined): ServerAddress {
  const name = id ?? link.provider.servers[0].id;
  const server = link.servers.get(name);
  if (server === undefined) throw new Error(`${link.provider.id} has no server ${name}`);
  return server;
}

/**
 * The parameters of the next page that the request does not set itself. A cursor comes back from
 * the caller: it can neither change what the tool fixes nor carry a credential, in whatever case its
 * names are written, which some vendors do not tell apart.
 */
function continuation(link: ProviderLink, { continueAt, path }: ToolRequest, set: string): string {
  if (continueAt === undefined) return '';
  const inPath = path.includes('?') ? path.slice(path.indexOf('?') + 1) : '';
  const fixed = new URLSearchParams(joinQuery(inPath, set)).keys();
  const taken = new Set([...fixed, ...Object.keys(link.credential.query)].flatMap(readings));
  const added = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(continueAt)) {
    if (!readings(name).some((each) => taken.has(each))) added.append(name, value);
  }
  return added.toString();
}

/**
 * What vendors may take a name for: without its capitals, and as a list (`tags[]`, `tags[0]`) for the
 * parameter that is called like it.
 */
function readings(name: string): string[] {
  const lower = name.toLowerCase();
  return [lower, lower.replace(/(?:\[\d*\])+$/, '')];
}

function joinQuery(first: string, second: string): string {
  return first === '' || second === '' ? first + second : `${first}&${second}`;
}

/** An object whose members become parameters may have one that is called like the credential. */
function requireNoCredential(query: ToolRequest['query'], { credential }: ProviderLink): void {
  const names = Object.keys(credential.query);
  if (names.length === 0 || query === undefined) return;
  const taken = new Set(names.flatMap(readings));
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    if (!readings(name).some((each) => taken.has(each))) continue;
    const shown = JSON.stringify(name.slice(0, 80));
    throw new ToolError('invalid_arguments', `the parameter ${shown} carries the credential`, {
      retryable: false,
    });
  }
}

function checkedHeaders(
  headers: ToolRequest['headers'],
  link: ProviderLink,
): Record<string, string> | undefined {
  if (headers === undefined) return undefined;
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const lower = checkHeader(name, String(value));
    if (Object.hasOwn(link.credential.headers, lower)) {
      throw new ToolError('invalid_arguments', `the header ${name} carries the credential`, {
        retryable: false,
      });
    }
    checked[lower] = String(value);
  }
  return checked;
}

function acceptedTypes(tool: VendorTool): string {
  const { decode, markdown } = tool.response ?? {};
  if (decode === 'xml') return 'application/xml, text/xml;q=0.9, */*;q=0.1';
  if (decode === 'csv') return 'text/csv, */*;q=0.1';
  if (markdown === true) return 'text/html, */*;q=0.1';
  return decode === undefined || decode === 'json' ? 'application/json, */*;q=0.5' : '*/*';
}
