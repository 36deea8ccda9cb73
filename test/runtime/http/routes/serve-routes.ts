import type { TestContext } from 'node:test';
import { request } from 'undici';
import type { Route, RouteHandler } from '#contract/surface/route';
import { type ServerOptions, startInMemory } from '../../in-memory-server.ts';

/** A route that anybody may use, with what a test says of it. */
export function routeOf(more: Partial<Route>): Route {
  return {
    ...{ name: 'act', method: 'POST', path: '/act', access: 'public' },
    responses: { 200: { contentType: 'application/json' } },
    ...more,
  };
}

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'HEAD' | 'OPTIONS';
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | FormData;
}

/** A server with these routes, for the time of one test. */
export async function serveRoutes(
  t: TestContext,
  routes: readonly (readonly [Route, RouteHandler])[],
  options: ServerOptions = {},
) {
  const bound = routes.map(([route, handle]) => ({ route, handle }));
  const server = await startInMemory(t, { ...options, routes: bound });
  const { url } = server;
  async function send({ method = 'POST', path = '/act', headers, body }: Sent = {}) {
    const answer = await request(new URL(path, url), {
      method,
      ...(headers && { headers }),
      ...(body !== undefined && { body: body as string }),
    });
    const text = await answer.body.text();
    const isJson = /[/+]json/.test(String(answer.headers['content-type']));
    const json = isJson && text !== '' ? JSON.parse(text) : undefined;
    return { status: answer.statusCode, headers: answer.headers, text, json };
  }
  return { ...server, send };
}

/** Answers with what it got. */
export const mirror: RouteHandler = async ({ parameters, body, files }) => ({
  status: 200,
  body: { parameters, body, files },
});
