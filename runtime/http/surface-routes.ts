import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Route, RouteReply } from '#contract/surface/route';
import type { BoundRoute } from '#contract/surface/surface';
import type { Admission } from '../admission/admission.ts';
import { Call } from '../admission/call.ts';
import { HttpArrival } from '../admission/http-arrival.ts';
import type { RunningCalls } from '../admission/running-calls.ts';
import { isHeld } from './not-modified.ts';
import { propertyOf, routeInput } from './route-input.ts';

/** What every route needs. */
export interface RouteParts {
  readonly admission: Admission;
  readonly running: RunningCalls;
}

/** Serve the route of a surface, with admission in front of its handler. */
export function mountRoute(
  server: FastifyInstance,
  { route, handle }: BoundRoute,
  { admission, running }: RouteParts,
): void {
  const run = admission.admit(route, (input, context) =>
    handle({
      // Where the route has a schema, admission has checked the input against it.
      parameters: input['parameters'] as Readonly<Record<string, unknown>>,
      body: input['body'],
      accept: String(context.http?.headers['accept'] ?? '*/*'),
      context,
    }),
  );
  const options: RouteOptions = {
    method: route.method,
    url: patternOf(route),
    async handler(request, reply) {
      const http = new HttpArrival(request.raw, 'http');
      const known = admission.authenticate(http);
      const caller = known instanceof Promise ? await known : known;
      const call = new Call(caller, reply.raw, { http });
      const answer = await running.settle(call, run(routeInput(route, request), call));
      const declared = route.responses[answer.status];
      if (!declared) throw new Error(`${route.name} does not declare the status ${answer.status}`);
      if (declared.contentType !== undefined) reply.type(declared.contentType);
      reply.headers(answer.headers ?? {});
      const asked = route.method === 'GET' && answer.status === 200;
      if (asked && isHeld(request.headers['if-none-match'], answer.headers?.['etag'])) {
        return reply.code(304).removeHeader('content-type').send();
      }
      return reply.code(answer.status).send(textOf(answer));
    },
  };
  if (route.body === 'text') serveText(server, { ...options, bodyLimit: mostBytes(server, route) });
  else server.route(options);
}

/** Serve a route in a scope of its own, in which every body is text. */
function serveText(server: FastifyInstance, options: RouteOptions): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
      done(null, body);
    });
    scope.route(options);
  });
}

/** What a text of the length that its schema allows takes in UTF-8, at most what any body may. */
function mostBytes({ initialConfig }: FastifyInstance, { input }: Route): number {
  const { maxLength } = propertyOf(input, 'body');
  const { bodyLimit: most = 0 } = initialConfig;
  return typeof maxLength === 'number' ? Math.min(most, maxLength * 4) : most;
}

/** The path as the web framework writes it. */
function patternOf({ path, parameters = [] }: Route): string {
  const rest = parameters.find((parameter) => parameter.rest);
  const open = rest === undefined ? path : path.replace(`{${rest.name}}`, '*');
  return open.replaceAll(/\{(\w+)\}/g, ':$1');
}

function textOf({ body }: RouteReply): string | Uint8Array | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}
