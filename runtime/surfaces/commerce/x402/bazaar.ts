import type { Operation } from '#contract/operation';
import type { Route } from '#contract/surface/route';
import { longestToldSchema } from '../numbers.ts';
import type { Extension } from './extensions.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Methods whose arguments travel in a body. */
const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * How what is sold is called, for those who collect what can be bought (x402 v2, extension bazaar): the
 * route, or the tool behind the one address of all tools.
 */
export function discoveryOf(operation: Operation): Extension {
  const input = isRoute(operation) ? routeInput(operation) : toolInput(operation);
  const { path } = operation as Partial<Route>;
  const template = path?.replaceAll(/\{(\w+)\}/g, ':$1');
  return {
    info: { input },
    schema: {
      $schema: dialect,
      type: 'object',
      properties: {
        input: { type: 'object', properties: typesOf(input), required: Object.keys(input) },
      },
      required: ['input'],
    },
    ...(template !== undefined && template !== path && { routeTemplate: template }),
  };
}

function isRoute(operation: Operation): operation is Operation & Route {
  return 'path' in operation && 'method' in operation;
}

function routeInput({ method }: Pick<Route, 'method'>) {
  const body = withBody.has(method) ? { bodyType: 'json', body: {} } : {};
  return { type: 'http', method, ...body };
}

/** A schema that is long would come back with each payment, and make it too long to be taken. */
function toolInput({ name, title, description = title, input: schema }: Operation) {
  const known = schema ?? { type: 'object' };
  const isShort = JSON.stringify(known).length <= longestToldSchema;
  return {
    // The specification calls it the one, its reference implementation the other.
    ...{ type: 'mcp', tool: name, toolName: name, transport: 'streamable-http' },
    ...(description !== undefined && { description }),
    inputSchema: isShort ? known : { type: 'object' },
  };
}

/** What says what is called is fixed; what it is called with is up to its caller. */
function typesOf(input: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? { type: 'string', const: value } : { type: 'object' },
    ]),
  );
}
