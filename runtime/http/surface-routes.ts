import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Arrival } from '#contract/arrival';
import type { Route, RouteRequest } from '#contract/surface/route';
import type { BoundRoute } from '#contract/surface/surface';
import type { Admission } from '../admission/admission.ts';
import { Call } from '../admission/call.ts';
import type { ClientAddress } from '../admission/client-address.ts';
import { HttpArrival } from '../admission/http-arrival.ts';
import type { RunningCalls } from '../admission/running-calls.ts';
import type { Tracer } from '../observe/spans/tracer.ts';
import { typeChooser } from './answer/choose-type.ts';
import { showsPages } from './answer/error-page.ts';
import { answerSender } from './answer/send-answer.ts';
import { paymentHeaders, varyBy } from './answer/vary.ts';
import { bodyReader } from './body/body-reader.ts';
import { jsonParser, type ParseJson } from './body/json-body.ts';
import { answerPreflights } from './foreign-origin.ts';
import type { OriginCheck } from './origin-check.ts';
import './route-config.ts';
import { inputReader } from './route-input.ts';
import { routeSpan } from './route-span.ts';

/** What every route needs. */
export interface RouteParts {
  readonly admission: Admission;
  readonly running: RunningCalls;
  readonly maxBodyBytes: number;
  readonly checkOrigin: OriginCheck;
  /** How long the client of a stream may read nothing of it, in milliseconds. */
  readonly addressOf: ClientAddress;
  readonly unreadMs: number;
  /** Absent where nothing is traced. */
  readonly tracer?: Tracer | undefined;
}

/** The framework parses a type anew with each request, unless it knows it by name. */
const frequentTypes = ['application/json', 'application/x-www-form-urlencoded'];

/** Serve the routes of all surfaces, with admission in front of their handlers. */
export function mountRoutes(
  server: FastifyInstance,
  routes: readonly BoundRoute[],
  parts: RouteParts,
): void {
  const parseJson = jsonParser(server);
  // Each route reads its bodies itself, as its media types say.
  server.removeAllContentTypeParsers();
  const readBody = async (request: FastifyRequest, payload: IncomingMessage) =>
    request.routeOptions.config.readBody?.(payload);
  for (const type of ['*', ...frequentTypes]) server.addContentTypeParser(type, readBody);
  for (const bound of routes) mountRoute(server, bound, parts, parseJson);
  answerPreflights(server, routes, patternOf);
}

function mountRoute(
  server: FastifyInstance,
  { route, handle }: BoundRoute,
  { admission, running, maxBodyBytes, checkOrigin, addressOf, unreadMs, tracer }: RouteParts,
  parseJson: ParseJson,
): void {
  const run = admission.admit(route, (input, context) =>
    handle({
      // Where the route has a schema, admission has checked the input against it.
      ...(input as Pick<RouteRequest, 'parameters' | 'body' | 'files'>),
      accept: String(context.http?.headers['accept'] ?? '*/*'),
      context,
    }),
  );
  const { errors, cors, method, idempotency, access, price } = route;
  const needs = () => (access === 'public' ? undefined : access);
  const readInput = inputReader(route);
  const chooserFor = typeChooser(route);
  const send = answerSender(route, running, unreadMs);
  server.route({
    method,
    url: patternOf(route),
    config: {
      readBody: bodyReader(route, maxBodyBytes, parseJson),
      ...(errors && { errors }),
      ...(showsPages(route) && { isPage: true as const }),
      ...(cors && { cors }),
    },
    async handler(request, reply) {
      // No cache gives one what another one has paid for, in whatever way it was.
      if (price !== undefined) varyBy(reply, paymentHeaders);
      const choose = chooserFor?.(request.headers.accept);
      const isForeign = cors !== undefined && checkOrigin(request.headers) !== undefined;
      const address = addressOf(request.raw);
      const http = new HttpArrival(request.raw, 'http', { isForeign, address });
      const known = admission.authenticate(route.hasOwnToken ? nobodyIn(http) : http, needs);
      const caller = known instanceof Promise ? await known : known;
      const span = tracer && !route.isVital ? routeSpan(tracer, route, http, reply.raw) : undefined;
      if (!route.isVital) running.requireRoom(caller);
      const { 'idempotency-key': key } = request.headers;
      const idempotencyKey = idempotency && key;
      const call = new Call(caller, reply.raw, {
        http,
        idempotencyKey,
        span,
        trace: span?.context,
      });
      const answer = await running.settle(call, run(readInput(request), call));
      return send(answer, { request, reply, call, choose });
    },
  });
}

/** A request without what would say who sends it. */
function nobodyIn({
  transport,
  tenant,
  method,
  url,
  headers,
  isForeign,
  address,
}: Arrival): Arrival {
  const { authorization: _, cookie: __, dpop: ___, ...rest } = headers;
  const arrived = { transport, tenant, method, url, isForeign, address };
  return { ...arrived, headers: rest, isLocal: false, tls: undefined };
}

/** The path as the web framework writes it. */
function patternOf({ path, parameters = [] }: Route): string {
  const rest = parameters.find((parameter) => parameter.rest);
  const open = rest === undefined ? path : path.replace(`{${rest.name}}`, '*');
  return open.replaceAll(/\{(\w+)\}/g, ':$1');
}
