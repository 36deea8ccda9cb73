import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route, RouteReply } from '#contract/surface/route';
import type { Call } from '../../admission/call.ts';
import { basePathOf } from '../../admission/http-arrival.ts';
import type { RunningCalls } from '../../admission/running-calls.ts';
import { isHeld } from '../not-modified.ts';
import { tenantBase } from '../tenant/answer-base.ts';
import { cacheHeaders } from './cache-headers.ts';
import type { ChooseTypes } from './choose-type.ts';
import { sendStream } from './send-stream.ts';
import { varyBy } from './vary.ts';

/** The request that is answered. */
export interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly call: Call;
  /** Present where the client has a choice. */
  readonly choose: ChooseTypes | undefined;
}

/** Make what sends the answers of the handler of a route. */
export function answerSender(route: Route, running: RunningCalls, unreadMs: number) {
  const cacheOf = cacheHeaders(route);
  return async (given: RouteReply, asked: Asked): Promise<unknown> => {
    const { request, reply, call } = asked;
    const base = basePathOf(request.raw);
    const { type, body, ...answer } = based(base, given, await bodyOf(route, given, asked));
    if (type !== undefined) reply.type(type);
    if (isStream(body)) {
      reply.code(answer.status).headers(cacheOf?.(answer.status, undefined) ?? {});
      reply.headers(headersOf(answer));
      const parts = request.method === 'HEAD' ? [] : body;
      return running.attend(call, stream(parts, asked, unreadMs), route.isLong);
    }
    const text = textOf(body);
    reply.headers(cacheOf?.(answer.status, text) ?? {}).headers(headersOf(answer));
    if (call.receipt) reply.headers(call.receipt.headers);
    const isGet = route.method === 'GET' && answer.status === 200;
    if (isGet && isHeld(request.headers['if-none-match'], reply.getHeader('etag'))) {
      return reply.code(304).removeHeader('content-type').send();
    }
    return reply.code(answer.status).send(text);
  };
}

/** The answer as it is for a tenant that is reached under a path. */
function based(
  path: string,
  { status, headers = {} }: RouteReply,
  { type, body }: { readonly type: string | undefined; readonly body: unknown },
) {
  if (path === '') return { status, headers, type, body };
  const base = tenantBase(path);
  return { status, headers: base.headers(headers), type, body: base.body(type, body) };
}

function headersOf({
  headers = {},
}: Pick<RouteReply, 'headers'>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      return [name, typeof value === 'string' ? value : [...value]];
    }),
  );
}

/** The body, in the media type that the client likes best where it has a choice. */
async function bodyOf(
  { name, responses }: Route,
  { status, body, content }: RouteReply,
  { reply, choose }: Asked,
): Promise<{ readonly type: string | undefined; readonly body: unknown }> {
  const declared = responses[status];
  if (!declared) throw new Error(`${name} does not declare the status ${status}`);
  const { contentType: types } = declared;
  if (types === undefined || typeof types === 'string') return { type: types, body };
  const [first] = types;
  // An error that a client does not like is better than none.
  const type = choose?.(types)[0] ?? first;
  const make = type === undefined ? undefined : content?.[type];
  if (!make) throw new Error(`${name} has no ${type} for the status ${status}`);
  varyBy(reply, 'Accept');
  return { type, body: await make() };
}

/** The web framework is told that its answer is written by somebody else. */
async function stream(
  parts: AsyncIterable<unknown> | Iterable<unknown>,
  { reply, call }: Asked,
  unreadMs: number,
): Promise<void> {
  const { raw } = reply;
  await sendStream(raw, {
    parts: Symbol.asyncIterator in parts ? parts : nothing(),
    isEvents: String(reply.getHeader('content-type')).startsWith('text/event-stream'),
    signal: call.signal,
    unreadMs,
    writeHead() {
      const headers = reply.getHeaders();
      reply.hijack();
      raw.writeHead(reply.statusCode, headers as Record<string, string | string[]>);
      raw.flushHeaders();
    },
  });
}

async function* nothing(): AsyncGenerator<never> {}

function isStream(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function textOf(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}
