import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { ServiceError } from '#contract/errors';
import type { BoundRoute } from '#contract/surface/surface';
import { type CorsMethod, corsHeaders, corsVary, preflightHeaders } from './cors.ts';
import type { OriginCheck } from './origin-check.ts';

/**
 * Let pages of other origins use only the routes that say so; what they may read is said in every
 * answer, also in that of an error.
 *
 * @throws ServiceError 403
 */
export function admitOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  checkOrigin: OriginCheck,
): void {
  const { cors, preflight } = request.routeOptions.config;
  const vary = cors && corsVary(cors);
  if (vary) reply.header('vary', vary);
  const foreign = checkOrigin(request.headers) ?? (cors ? undefined : loadedFrom(request.headers));
  if (foreign === undefined || preflight) return;
  const headers = cors && corsHeaders(cors, request.headers.origin ?? '');
  if (!headers) throw new ServiceError('foreign_request', 403, foreign);
  reply.headers(headers);
}

/**
 * Says what another site does with a request beyond leading its user here: what it loads into its
 * own page is for none of ours, and must not count as a use of them (Fetch Metadata, section 2).
 */
function loadedFrom(headers: IncomingHttpHeaders): string | undefined {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers;
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  if (mode === 'navigate' && dest === 'document') return undefined;
  return 'pages of other sites may lead here, but load nothing from here';
}

/** Answer what browsers ask before requests that are not simple, for every path that needs it. */
export function answerPreflights(
  server: FastifyInstance,
  routes: readonly BoundRoute[],
  patternOf: (route: BoundRoute['route']) => string,
): void {
  const byPath = new Map<string, CorsMethod[]>();
  for (const { route } of routes) {
    const { cors, method } = route;
    if (!cors) continue;
    const path = patternOf(route);
    byPath.set(path, [...(byPath.get(path) ?? []), { method, cors }]);
  }
  for (const [url, methods] of byPath) server.route(preflightRoute(url, methods));
}

function preflightRoute(url: string, methods: readonly CorsMethod[]): RouteOptions {
  return {
    method: 'OPTIONS',
    url,
    config: { preflight: true },
    async handler(request, reply) {
      const { origin = '', 'access-control-request-method': method } = request.headers;
      // Whoever asks for no method is no browser that asks for a page.
      if (method === undefined) return reply.callNotFound();
      const headers = preflightHeaders(methods, { origin, method });
      if (!headers) {
        const message = `pages of ${JSON.stringify(origin)} may not use this with ${JSON.stringify(method)}`;
        throw new ServiceError('foreign_request', 403, message);
      }
      const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';
      return reply
        .code(204)
        .headers({ ...headers, vary })
        .send();
    },
  };
}
