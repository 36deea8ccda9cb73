import type { FastifyRequest } from 'fastify';
import { parseCookies } from '#contract/surface/cookies';
import type { Route, RouteParameter } from '#contract/surface/route';
import { MultipartBody } from './body/multipart-body.ts';
import { propertyOf, typed } from './route-schema.ts';

type Values = Readonly<Record<string, unknown>>;

/** Collects what a route is called with, in the shape that its `input` schema describes. */
export type ReadInput = (request: FastifyRequest) => Values;

/** Make what reads the input of a route. */
export function inputReader({ parameters = [], input, errors }: Route): ReadInput {
  const schemas = propertyOf(input, 'parameters');
  const wanted = parameters.map((parameter) => {
    return { parameter, schema: propertyOf(schemas, parameter.name) };
  });
  const readsCookies = parameters.some((parameter) => parameter.in === 'cookie');
  // What is sent without a value counts as left out (RFC 6749 section 3.1).
  const dropsEmpty = errors === 'oauth';
  return (request) => {
    const cookies = readsCookies ? parseCookies(request.headers.cookie) : undefined;
    const values: Record<string, unknown> = {};
    for (const { parameter, schema } of wanted) {
      const text = textOf(parameter, request, cookies);
      if (text === undefined || (dropsEmpty && text === '')) continue;
      values[parameter.name] = typed(text, schema);
    }
    const { body } = request;
    if (body === undefined) return { parameters: values };
    if (!(body instanceof MultipartBody)) return { parameters: values, body };
    return { parameters: values, body: body.fields, files: body.files };
  };
}

function textOf(
  { name, in: place, rest }: RouteParameter,
  request: FastifyRequest,
  cookies: ReturnType<typeof parseCookies> | undefined,
): unknown {
  switch (place) {
    case 'path':
      return (request.params as Values)[rest ? '*' : name];
    case 'query':
      return (request.query as Values)[name];
    case 'header':
      return request.headers[name.toLowerCase()];
    case 'cookie':
      return cookies?.get(name)?.[0];
  }
}
