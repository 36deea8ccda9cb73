import { randomUUID } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ServiceError } from '#contract/errors';
import type { Route } from '#contract/surface/route';
import type { BoundRoute } from '#contract/surface/surface';
import type { Admission } from '../admission/admission.ts';
import { ClientGone } from '../admission/call.ts';
import { clientAddressBy, type ProxySettings } from '../admission/client-address.ts';
import type { RunningCalls } from '../admission/running-calls.ts';
import type { McpEndpoint } from '../mcp/endpoint.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Tracer } from '../observe/spans/tracer.ts';
import { createServer } from '../process/node-http.ts';
import { type DeclaredTenant, hostsOf } from '../process/tenant/declared-tenants.ts';
import { errorPage, readsPages } from './answer/error-page.ts';
import { styleFinder, toldIn } from './answer/error-style.ts';
import { BrokenRequests } from './broken-request.ts';
import { admitOrigin } from './foreign-origin.ts';
import { type Crowd, openFrontDoor, pathOf } from './front-door.ts';
import { pathFinder, vitalPaths } from './known-paths.ts';
import { createOriginChecks } from './origin-check.ts';
import { type Problem, problemOf } from './problem.ts';
import { RequestObservers } from './request-observers.ts';
import { mountRoutes } from './surface-routes.ts';
import { switchedOff } from './switched-off.ts';
import { tenantEntrance } from './tenant/entrance.ts';

/** How long clients may take, in milliseconds. */
export interface HttpTimeouts {
  readonly headers: number;
  readonly request: number;
  /** How often the two above are looked at. */
  readonly check: number;
}

const defaultTimeouts: HttpTimeouts = { headers: 10_000, request: 30_000, check: 2_000 };

export interface HttpParts extends ProxySettings {
  /** What the server will be bound to. */
  readonly host: string;
  readonly mcpPath: string;
  readonly baseUrl: string | undefined;
  /** Those that share this server, besides the one that it has for itself. */
  readonly declared?: readonly DeclaredTenant[];
  readonly maxBodyBytes: number;
  readonly callTimeoutMs: number;
  readonly timeouts?: HttpTimeouts;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Absent where nothing is traced. */
  readonly tracer?: Tracer | undefined;
  readonly mcp: McpEndpoint;
  readonly routes: readonly BoundRoute[];
  readonly admission: Admission;
  readonly running: RunningCalls;
  /** Calls that may run at a time, how long one may wait for its turn, connections. */
  readonly callLimit?: number;
  readonly overloadWaitMs?: number;
  readonly connectionLimit?: number;
}

/** Put the HTTP server together; it does not listen yet. */
export function createHttpServer(parts: HttpParts): FastifyInstance {
  const { declared = [] } = parts;
  const checks = createOriginChecks(parts.host, parts.baseUrl, hostsOf(declared));
  const enter = tenantEntrance(declared);
  const broken = new BrokenRequests();
  const observers = new RequestObservers(parts.metrics, (request, response) =>
    broken.forget(request, response),
  );
  const isVital = vitalPaths(parts.routes);
  const crowd = crowdOf(parts);
  const styleOf = styleFinder(parts.routes);
  const server = Fastify({
    bodyLimit: parts.maxBodyBytes,
    clientErrorHandler: (error, socket) => broken.answer(error, socket),
    frameworkErrors(error, request, reply) {
      observers.watch(request.raw, reply.raw, '');
      return tell(reply, problemOf(error), styleOf(pathOf(request.url)));
    },
    schemaController: { compilersFactory: noCompilers },
    serverFactory(framework) {
      const around = { checks, enter, observers, framework, isVital, styleOf, crowd };
      const door = openFrontDoor({ ...parts, ...around });
      const server = createNodeServer(parts, (request, response) => {
        broken.note(request, response);
        door.request(request, response);
      });
      return server.on('connection', door.connection);
    },
  });
  server.setErrorHandler(errorHandler(parts.log));
  server.setNotFoundHandler(unservedHandler(parts.routes, styleOf));
  server.addHook('onRequest', (request, reply, done) => {
    observers.watch(request.raw, reply.raw, request.routeOptions.url ?? '');
    admitOrigin(request, reply, checks.origin);
    requireWholePath(request);
    done();
  });
  // What goes on for as long as the server does has to end before it can close.
  server.addHook('preClose', async () => parts.running.abortLong());
  const { request: unreadMs } = parts.timeouts ?? defaultTimeouts;
  const addressOf = clientAddressBy(parts);
  mountRoutes(server, parts.routes, { ...parts, checkOrigin: checks.origin, addressOf, unreadMs });
  return server;
}

/** How many requests may come in at a time. */
function crowdOf({ running, metrics, callLimit = 1000, overloadWaitMs = 250 }: HttpParts): Crowd {
  const onRefusal = metrics.counter({
    name: 'http_server_overload_refusals_total',
    help: 'Requests that were refused because the server had more to do than it could.',
  });
  const mostRunning = callLimit;
  return {
    running: () => running.timed,
    mostRunning,
    mostWaitMs: overloadWaitMs,
    onRefusal: () => onRefusal(),
  };
}

/** Admission validates; without these two, the framework loads a validator of its own. */
const noCompilers = { buildValidator: noCompiler, buildSerializer: noCompiler };

function noCompiler(): never {
  throw new Error('routes give no schemas to the web framework');
}

/** Longer than the minute that load balancers in front wait: they must be the ones that close. */
const keepAliveTimeout = 72_000;

/**
 * How much later than it is announced an idle connection is closed: where that is not long, after the
 * same time as a silent one. Node keeps a list of timers for each length; with two, every request that
 * comes alone would make one and take it down again.
 */
function idleBuffer(silentMs: number): number {
  const buffer = silentMs - keepAliveTimeout;
  return buffer > 0 && buffer <= keepAliveTimeout ? buffer : 1000;
}

function createNodeServer(
  { timeouts = defaultTimeouts, callTimeoutMs, connectionLimit = 5000 }: HttpParts,
  listen: RequestListener,
): Server {
  // A client that neither sends nor reads; while a call runs, silence is no sign of that.
  const silentMs = callTimeoutMs + timeouts.request;
  const options = {
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: timeouts.check,
    keepAliveTimeout,
    keepAliveTimeoutBuffer: idleBuffer(silentMs),
  };
  const server = createServer(options, listen);
  server.timeout = silentMs;
  server.maxConnections = connectionLimit;
  return server;
}

function errorHandler(log: Logger) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof ClientGone) return reply.hijack();
    const answer = problemOf(error);
    const {
      errors,
      isPage,
      url: route,
    } = {
      ...request.routeOptions.config,
      ...request.routeOptions,
    };
    const style = isPage && readsPages(request.headers.accept) ? 'page' : errors;
    if (answer.status < 500) return tell(reply, answer, style);
    const errorId = randomUUID();
    log.error({ ...toldOf(error), errorId, route }, 'a request failed');
    // So that this very occurrence can be found in the log (RFC 9457 section 3.1.5).
    const members = { ...answer.members, instance: `urn:uuid:${errorId}` };
    // The head is out: all that can still be said is that the rest is missing.
    if (reply.raw.headersSent) return reply.hijack();
    return tell(reply, { ...answer, members }, style);
  };
}

/** What was foreseen is told in its words; all else needs its stack trace. */
function toldOf(error: unknown): object {
  if (!(error instanceof ServiceError)) return { err: error };
  const { code, message, cause } = error;
  return { code, reason: message, ...(cause instanceof Error && { cause: cause.message }) };
}

/**
 * Answer what no route takes: 405 where the path is served with other methods (RFC 9110 section
 * 15.5.6), else 404. OPTIONS asks for just these methods and changes nothing (section 9.3.7).
 */
function unservedHandler(routes: readonly BoundRoute[], styleOf: ReturnType<typeof styleFinder>) {
  const find = pathFinder(routes);
  const isServed = (beginning: string) =>
    routes.some(({ route }) => route.path.startsWith(beginning));
  return ({ method, url }: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(url);
    const known = find(path);
    const off = known ? undefined : switchedOff(path, isServed);
    if (off !== undefined) return tell(reply, problemOf(off), 'reason');
    if (!known) return tell(reply, problemOf(notServed(method, path)), styleOf(path));
    const { allow, errors } = known;
    reply.header('allow', allow);
    if (method === 'OPTIONS') return reply.code(204).send();
    const message = `${path} takes ${allow}, but ${method} came`;
    return tell(reply, problemOf(new ServiceError('method_not_allowed', 405, message)), errors);
  };
}

/**
 * A path with nothing where a parameter stands is another path, which nobody serves. What holds a NUL
 * is the name of nothing either: not every store can be asked for it.
 *
 * @throws ServiceError 404
 */
function requireWholePath({ params, method, url }: FastifyRequest): void {
  for (const value of Object.values(params ?? {})) {
    if (value === '' || String(value).includes('\0')) throw notServed(method, pathOf(url));
  }
}

function notServed(method: string, path: string): ServiceError {
  return new ServiceError('not_found', 404, `there is no ${method} ${path}`);
}

/** Tell of a problem as the route does. */
function tell(reply: FastifyReply, told: Problem, errors: Route['errors'] | 'page'): FastifyReply {
  if (errors === 'page') {
    const { headers, body } = errorPage(told);
    return reply.code(told.status).headers(headers).type('text/html; charset=utf-8').send(body);
  }
  const { status, headers, members, type } = toldIn(errors, told);
  return reply.code(status).headers(headers).type(type).send(JSON.stringify(members));
}
