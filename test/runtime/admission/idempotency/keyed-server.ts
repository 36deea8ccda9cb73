import type { TestContext } from 'node:test';
import { request } from 'undici';
import type { Caller } from '#contract/caller';
import type { Route, RouteHandler } from '#contract/surface/route';
import type { Tool } from '#contract/tool';
import type { IdempotencyParts } from '../../../../runtime/admission/idempotency/idempotency.ts';
import type { OwnedStore } from '../../../../runtime/store/index.ts';
import { startInMemoryServer } from '../../in-memory-server.ts';

export interface KeyedServerOptions {
  readonly store: OwnedStore;
  readonly route?: Partial<Route>;
  readonly handle?: RouteHandler;
  readonly tools?: readonly Tool[];
  readonly now?: () => number;
  readonly lost?: (error: unknown) => void;
  readonly caller?: () => Partial<Caller>;
}

/** What a server without a store to close would keep keys with. */
export function keyParts({ store, now, lost = () => {} }: KeyedServerOptions): IdempotencyParts {
  const jobs = { define: () => {} };
  return { store, jobs, runMs: 10_000, taskMs: 60_000, onLoss: lost, ...(now && { now }) };
}

/** A server with one route that takes keys; gives what sends a request to it. */
export async function startKeyed(t: TestContext, options: KeyedServerOptions) {
  const { handle = async () => ({ status: 200 }), tools = [], caller = () => ({}) } = options;
  const route: Route = {
    ...{ name: 'pay', method: 'POST', path: '/pay', access: 'public', idempotency: 'required' },
    body: { 'application/json': 'json' },
    input: { type: 'object', properties: { body: { type: 'object' } }, required: ['body'] },
    responses: { 200: {}, 201: { contentType: 'application/json' } },
    ...options.route,
  };
  const known = {
    tenant: 't',
    subject: 's',
    client: 'c',
    scopes: 'all',
    transport: 'http',
  } as const;
  const url = await startInMemoryServer(t, {
    authenticate: () => ({ ...known, ...caller() }),
    idempotency: keyParts(options),
    routes: [{ route, handle }],
    tools,
  });
  const send = async (key: string | undefined, body: object = {}) => {
    const answer = await request(new URL('/pay', url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    const isJson = /json/.test(String(answer.headers['content-type']));
    const json = isJson && text !== '' ? JSON.parse(text) : undefined;
    return { status: answer.statusCode, headers: answer.headers, text, json };
  };
  return { url, send };
}
