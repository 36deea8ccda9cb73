import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
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
import { type Problem, problem, problemOf, problemType } from './problem.ts';
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
  /** What the server will be bound to. */
  readonly host: string;
  readonly mcpPath: string;
  readonly baseUrl: string | undefined;
  readonly maxBodyBytes: number;
  readonly callTimeoutMs: number;
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
  const checkOrigin = createOriginCheck(parts.host, parts.baseUrl);
  const server = Fastify({
    bodyLimit: parts.maxBodyBytes,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, _request, reply) => send(reply, problemOf(error)),
    schemaController: { compilersFactory: noCompilers },
    serverFactory: (framework) => createNodeServer(parts, listener(parts, checkOrigin, framework)),
  });
  server.setErrorHandler(errorHandler(parts.log));
  server.setNotFoundHandler((request, reply) =>
    send(reply, problem(404, `there is no ${request.method} ${pathOf(request.url)}`)),
  );
  server.addHook('onRequest', (request, _reply, done) => {
    const foreign = checkOrigin(request.headers);
    if (foreign === undefined) done();
    else done(new ServiceError('foreign_request', 403, foreign));
  });
  for (const bound of parts.routes) mountRoute(server, bound, parts);
  return server;
}

/** Admission validates; without these two, the framework loads a validator of its own. */
const noCompilers = { buildValidator: noCompiler, buildSerializer: noCompiler };

function noCompiler(): never {
  throw new Error('routes give no schemas to the web framework');
}

function createNodeServer(
  { timeouts = defaultTimeouts, callTimeoutMs }: HttpParts,
  listen: RequestListener,
): Server {
  const options = {
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: timeouts.check,
    // Longer than the minute that load balancers in front wait: they must be the ones that close.
    keepAliveTimeout: 72_000,
  };
  const server = createServer(options, listen);
  // A client that neither sends nor reads; while a call runs, silence is no sign of that.
  server.timeout = callTimeoutMs + timeouts.request;
  return server;
}

/**
 * MCP goes past the framework: it reads its own bodies and writes its own answers, and what the
 * framework does before that is a twentieth of the time that a call takes.
 */
function listener(
  { mcp, mcpPath }: HttpParts,
  check: OriginCheck,
  framework: RequestListener,
): RequestListener {
  return (request, response) => {
    if (pathOf(request.url) !== mcpPath) {
      framework(request, response);
      return;
    }
    const foreign = check(request.headers);
    if (foreign === undefined) mcp.handle(request, response);
    else mcp.forbid(response, foreign);
  };
}

function pathOf(url = ''): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

function errorHandler(log: Logger) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof ClientGone) return reply.hijack();
    const answer = problemOf(error);
    if (answer.status < 500) return send(reply, answer);
    const errorId = randomUUID();
    log.error({ err: error, errorId, route: request.routeOptions.url }, 'a request failed');
    // So that this very occurrence can be found in the log (RFC 9457 section 3.1.5).
    const members = { ...answer.members, instance: `urn:uuid:${errorId}` };
    return send(reply, { ...answer, members });
  };
}

function send(reply: FastifyReply, { status, headers, members }: Problem): FastifyReply {
  return reply.code(status).headers(headers).type(problemType).send(JSON.stringify(members));
}
