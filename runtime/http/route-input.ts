import type { FastifyRequest } from 'fastify';
import { ServiceError } from '#contract/errors';
import { isObject, type JsonSchema, mostLevels, nestedDeeperThan } from '#contract/json';
import type { Route, RouteParameter } from '#contract/surface/route';

type Values = Readonly<Record<string, unknown>>;

/**
 * Collect what a route is called with, in the shape that its `input` schema describes.
 *
 * @throws ServiceError when the body is nested too deeply
 */
export function routeInput(route: Route, request: FastifyRequest): Values {
  const parameters: Record<string, unknown> = {};
  for (const parameter of route.parameters ?? []) {
    const text = textOf(parameter, request);
    if (text === undefined) continue;
    parameters[parameter.name] = typed(text, schemaOf(route, parameter.name));
  }
  const { body } = request;
  if (body === undefined) return { parameters };
  if (nestedDeeperThan(body, mostLevels)) {
    const message = `the body is nested deeper than ${mostLevels} levels`;
    throw new ServiceError('nested_too_deeply', 400, message);
  }
  return { parameters, body };
}

function textOf({ name, in: place, rest }: RouteParameter, request: FastifyRequest): unknown {
  switch (place) {
    case 'path':
      return (request.params as Values)[rest ? '*' : name];
    case 'query':
      return (request.query as Values)[name];
    case 'header':
      return request.headers[name.toLowerCase()];
  }
}

/** What a parameter's text says in the type that its schema asks for; else the text as it is. */
function typed(value: unknown, { type, items }: JsonSchema): unknown {
  if (type === 'array') {
    const member = isObject(items) ? items : {};
    return [value].flat().map((item) => typed(item, member));
  }
  if (typeof value !== 'string') return value;
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(value)) {
    return Number(value);
  }
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function schemaOf({ input }: Route, name: string): JsonSchema {
  const parameters = propertyOf(input, 'parameters');
  return propertyOf(parameters, name);
}

/** The schema of one property; an empty one where there is none. */
export function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema {
  const properties = schema?.['properties'];
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : {};
  return isObject(property) ? property : {};
}
