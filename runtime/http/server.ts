import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ServiceError } from '#contract/errors';
import type { BoundRoute } from '#contract/surface';
import type { Admission } from '../admission/admission.ts';
import { ClientGone } from '../admission/call.ts';
import type { RunningCalls } from '../admission/running-calls.ts';
import type { McpEndpoint } from '../mcp/endpoint.ts';
import type { Metrics } from '../metrics.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { createOriginCheck, type OriginCheck } from './origin-check.ts';
import { type Problem, problem, problemOf } from './problem.ts';
import { mountRoute } from './surface-routes.ts';

/** How long clients may take, in milliseconds. */
export interface HttpTimeouts {
  readonly headers: number;
  readonly request: number;
  /** How often the two above are looked at. */
  readonly check: number;
}

const defaultTimeouts: HttpTimeouts = { headers: 10_000, request: 30_000, check: 2_000 };

export interface HttpParts {
  readonly mcpPath: string;
  readonly baseUrl: string | undefined;
  readonly maxBodyBytes: number;
  readonly timeouts?: HttpTimeouts;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly mcp: McpEndpoint;
  readonly routes: readonly BoundRoute[];
  readonly admission: Admission;
  readonly running: RunningCalls;
}

/** Put the HTTP server together; it does not listen yet. */
export function createHttpServer(parts: HttpParts): FastifyInstance {
  const { timeouts = defaultTimeouts } = parts;
  const server = Fastify({
    bodyLimit: parts.maxBodyBytes,
    requestTimeout: timeouts.request,
    http: { headersTimeout: timeouts.headers, connectionsCheckingInterval: timeouts.check },
    clientErrorHandler: answerBrokenRequest,
  });
  const checkOrigin = createOriginCheck(parts.baseUrl);
  server.setErrorHandler(errorHandler(parts.log));
  server.setNotFoundHandler((request, reply) =>
    send(reply, problem(404, `there is no ${request.method} ${request.url.split('?', 1)}`)),
  );
  server.register(async (scope) => mountMcp(scope, parts, checkOrigin));
  server.register(async (scope) => mountSurfaces(scope, parts, checkOrigin));
  return server;
}

/** Serve MCP past the framework: it reads its own bodies and writes its own answers. */
function mountMcp(server: FastifyInstance, { mcp, mcpPath }: HttpParts, check: OriginCheck): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.all(mcpPath, (request, reply) => {
    reply.hijack();
    const foreign = check(request.headers);
    if (foreign === undefined) mcp.handle(request.raw, reply.raw);
    else mcp.forbid(reply.raw, foreign);
  });
}

function mountSurfaces(server: FastifyInstance, parts: HttpParts, check: OriginCheck): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const foreign = check(request.headers);
    if (foreign === undefined) done();
    else done(new ServiceError('foreign_request', 403, foreign));
  });
  for (const bound of parts.routes) mountRoute(server, bound, parts);
}

function errorHandler(log: Logger) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof ClientGone) return reply.hijack();
    const answer = problemOf(error);
    if (answer.status >= 500) {
      log.error({ err: error, route: request.routeOptions.url }, 'a request failed');
    }
    return send(reply, answer);
  };
}

function send(reply: FastifyReply, { status, headers, body }: Problem): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}
