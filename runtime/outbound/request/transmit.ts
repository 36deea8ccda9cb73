import { randomBytes } from 'node:crypto';
import { ToolError } from '#contract/errors';
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
  { base, life, headOnly }: TransmitOptions,
): Promise<Answer> {
  const { origin, href } = hop.url;
  const secret = hop.withCredential ? encodeFields(link.credential.query) : '';
  const request: WireRequest = {
    method: hop.method,
    path: withQuery(href.slice(origin.length), secret),
    headers: traced(headersOf(hop, base), life.trace),
    body: hop.body,
    headOnly,
  };
  const { responseBytes: maxBytes, inlineBytes } = link.limits;
  return exchange(link.pool(origin), request, { life, maxBytes, inlineBytes, room: link.room });
}

function headersOf(hop: Hop, base: BaseHeaders): readonly string[] {
  if (hop.withCredential && hop.headers === undefined) return base.flat;
  return flatten({ ...(hop.withCredential ? base.withCredential : base.plain), ...hop.headers });
}

/**
 * Let the vendor see which trace the request belongs to, as a span of its own. Baggage stays here:
 * it may say anything about a user.
 */
function traced(headers: readonly string[], trace: TraceContext | undefined): readonly string[] {
  if (!trace) return headers;
  const child = childOf(trace, randomBytes(8).toString('hex'));
  return [...headers, ...flatten({ ...child })];
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** Where a redirection leads; `undefined` when the answer is none. */
function nextHop(link: ProviderLink, hop: Hop, { status, headers, hold }: Answer): Hop | undefined {
  const location = headerOf(headers, 'location');
  if (!isRedirect(status) || location === undefined) return undefined;
  const url = URL.parse(location, hop.url);
  hold?.close();
  if (url === null || !isOwnServer(link, url)) {
    throw redirectError(link, 'redirected to a host that is not one of its servers');
  }
  if (hop.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw redirectError(link, 'redirected to an unencrypted address');
  }
  forgetCredentials(link, url);
  const withCredential = hop.withCredential && url.origin === hop.url.origin;
  const reads = hop.method === 'GET' || hop.method === 'HEAD';
  if (reads || status >= 307) return { ...hop, url, withCredential };
  // 303 asks for a GET (RFC 9110 section 15.4.4). A 301 or 302 would too, by habit, and report
  // success for a write that never happened.
  if (status === 303) return { ...withoutBody(hop), url, withCredential };
  throw redirectError(link, `redirected a ${hop.method}, which is not sent again`);
}

function withoutBody(hop: Hop): Hop {
  const { 'content-type': _, ...headers } = hop.headers ?? {};
  return { ...hop, method: 'GET', headers, body: null };
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
