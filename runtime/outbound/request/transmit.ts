import { randomBytes } from 'node:crypto';
import { ToolError } from '#contract/errors';
import type { OpenSpan } from '#contract/telemetry/span';
import { childOf, type TraceContext } from '#contract/trace';
import type { CallLife } from '../call/call-life.ts';
import { type Answer, exchange, headerOf, type WireRequest } from '../call/exchange.ts';
import { type BaseHeaders, flatten, type Outgoing } from './outgoing.ts';
import type { ProviderLink } from './provider-link.ts';
import { encodeFields, withQuery } from './query-encoding.ts';

/** An answer and where it came from in the end. */
export interface Received {
  readonly answer: Answer;
  /** Without the credential. */
  readonly url: URL;
}

/** One step of a request on its way through redirections. */
interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly headers: Outgoing['headers'];
  readonly body: WireRequest['body'];
  readonly withCredential: boolean;
}

interface TransmitOptions {
  readonly base: BaseHeaders;
  readonly life: CallLife;
  readonly headOnly: boolean;
  /** A redirection is the answer. */
  readonly stays?: boolean;
  /** Hears that a write was answered with the address of what tells of it (303). */
  readonly onSeeOther?: () => void;
  /** Who waits for the answer. */
  readonly tenant: string;
}

/**
 * Send a request and follow its redirections, inside the provider's own servers only.
 *
 * @throws ToolError, or the error of the connection
 */
export async function transmit(
  link: ProviderLink,
  outgoing: Outgoing,
  options: TransmitOptions,
): Promise<Received> {
  const { method, url, headers, body } = outgoing;
  let hop: Hop = { method, url, headers, body, withCredential: true };
  for (let followed = 0; ; followed += 1) {
    const answer = await send(link, hop, options);
    if (answer.status === 303 && !isRead(hop)) options.onSeeOther?.();
    if (options.stays && isRedirect(answer.status)) return { answer, url: hop.url };
    const next = nextHop(link, hop, answer);
    if (next === undefined) return { answer, url: hop.url };
    if (followed >= link.limits.redirects) {
      throw redirectError(link, `redirected more than ${link.limits.redirects} times`);
    }
    hop = next;
  }
}

function send(
  link: ProviderLink,
  hop: Hop,
  { base, life, headOnly, tenant }: TransmitOptions,
): Promise<Answer> {
  const { origin, href } = hop.url;
  const span = spanOf(hop, life);
  const secret = hop.withCredential ? encodeFields(link.credential.query) : '';
  const request: WireRequest = {
    method: hop.method,
    path: withQuery(href.slice(origin.length), secret),
    headers: traced(headersOf(hop, base), span?.context, life.trace),
    body: hop.body,
    headOnly,
  };
  const { responseBytes: maxBytes, inlineBytes, streamMs, streamEvents } = link.limits;
  const stream = { ms: streamMs, events: streamEvents };
  const limits = { life, maxBytes, inlineBytes, room: link.room, tenant, stream };
  const sent = exchange(link.pool(origin), request, limits);
  return span === undefined ? sent : watched(sent, span);
}

/** HTTP client span (OpenTelemetry semantic conventions); the path may hold what the caller gave. */
function spanOf({ method, url }: Hop, life: CallLife): OpenSpan | undefined {
  const span = life.span?.begin(method, 'client');
  if (span === undefined) return undefined;
  span.set('http.request.method', method);
  span.set('server.address', url.hostname);
  span.set('server.port', url.port || (url.protocol === 'https:' ? '443' : '80'));
  span.set('url.scheme', url.protocol.slice(0, -1));
  return span;
}

async function watched(sent: Promise<Answer>, span: OpenSpan): Promise<Answer> {
  try {
    const answer = await sent;
    span.set('http.response.status_code', String(answer.status));
    span.end(answer.status >= 400 ? String(answer.status) : undefined);
    return answer;
  } catch (error) {
    span.end(error instanceof ToolError ? error.code : 'connection_error');
    throw error;
  }
}

function headersOf(hop: Hop, base: BaseHeaders): readonly string[] {
  if (hop.withCredential && hop.headers === undefined) return base.flat;
  return flatten({ ...(hop.withCredential ? base.withCredential : base.plain), ...hop.headers });
}

/**
 * Let the vendor see which trace the request belongs to, as a span of its own. Baggage stays here:
 * it may say anything about a user.
 */
function traced(
  headers: readonly string[],
  own: TraceContext | undefined,
  trace: TraceContext | undefined,
): readonly string[] {
  if (!trace) return headers;
  const child = own ?? childOf(trace, randomBytes(8).toString('hex'));
  return [...headers, ...flatten({ ...child })];
}

export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** Where a redirection leads; `undefined` when the answer is none. */
function nextHop(link: ProviderLink, hop: Hop, { status, headers, hold }: Answer): Hop | undefined {
  const location = headerOf(headers, 'location');
  if (!isRedirect(status) || location === undefined) return undefined;
  const url = URL.parse(location, hop.url);
  hold?.close();
  const unfollowed = (what: string) =>
    isRead(hop) || status >= 303
      ? redirectError(link, what)
      : answeredElsewhere(link, what, status);
  if (url === null || !isOwnServer(link, url)) {
    throw unfollowed('redirected to a host that is not one of its servers');
  }
  if (hop.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw unfollowed('redirected to an unencrypted address');
  }
  forgetCredentials(link, url);
  const withCredential = hop.withCredential && url.origin === hop.url.origin;
  if (isRead(hop) || status >= 307) return { ...hop, url, withCredential };
  // 303 asks for a GET (RFC 9110 section 15.4.4). A 301 or 302 would too, by habit, and report
  // success for a write that never happened.
  if (status === 303) return { ...withoutBody(hop), url, withCredential };
  throw unfollowed(`redirected a ${hop.method}, which is not sent again`);
}

function isRead({ method }: Hop): boolean {
  return method === 'GET' || method === 'HEAD';
}

function withoutBody(hop: Hop): Hop {
  const { 'content-type': _, ...headers } = hop.headers ?? {};
  return { ...hop, method: 'GET', headers, body: null };
}

/**
 * The address that a redirection names, without what of it could be the credential; nothing where it
 * is none of the web (RFC 9110 section 10.2.2).
 */
export function locationOf(
  link: ProviderLink,
  { answer, url: from }: Received,
): string | undefined {
  const url = URL.parse(headerOf(answer.headers, 'location') ?? '', from);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const { hash } = url;
  forgetCredentials(link, url);
  url.hash = hash;
  return url.href;
}

/** An address that comes from a vendor may repeat what the request carried. */
function forgetCredentials(link: ProviderLink, url: URL): void {
  url.username = '';
  url.password = '';
  url.hash = '';
  for (const name of Object.keys(link.credential.query)) url.searchParams.delete(name);
}

function isOwnServer(link: ProviderLink, url: URL): boolean {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  for (const { origin } of link.servers.values()) {
    if (new URL(origin).host === url.host) return true;
  }
  return false;
}

function redirectError({ provider }: ProviderLink, what: string): ToolError {
  return new ToolError('upstream_error', `${provider.title} ${what}`, {
    provider: provider.id,
    retryable: false,
  });
}

/**
 * A write that was answered by leading away: programs for people do so once it is done, others where
 * somebody has to log in. Whoever knows what the tool does says that it may have been done.
 */
function answeredElsewhere(
  { provider }: ProviderLink,
  what: string,
  httpStatus: number,
): ToolError {
  return new ToolError('upstream_error', `${provider.title} ${what}`, {
    httpStatus,
    retryable: false,
  });
}
