import { isObject, type JsonSchema } from '#contract/json';
import type { Route, RouteParameter } from '#contract/surface/route';
import {
  type ApiOperation,
  ApiOperations,
  type ApiParameter,
  parametersOf,
} from '../schema/api-operations.ts';
import { pascalCase } from '../texts/names.ts';
import { planBody } from './route/route-body.ts';
import { planExtensions } from './route/route-extensions.ts';
import { type RoutePlanning, report } from './route/route-planning.ts';
import { planReplies } from './route/route-replies.ts';
import type { SurfaceRoute } from './surface-model.ts';

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const places: readonly string[] = ['path', 'query', 'header', 'cookie'];

/** Read the HTTP operations of a surface out of its description. */
export function planRoutes(planning: RoutePlanning): SurfaceRoute[] {
  return new ApiOperations(planning.document).all.flatMap((operation) => {
    const route = planRoute(planning, operation);
    return route === undefined ? [] : [route];
  });
}

function planRoute(planning: RoutePlanning, operation: ApiOperation): SurfaceRoute | undefined {
  const { id, method, path, node, pointer } = operation;
  if (id === undefined || !/^[a-z][A-Za-z0-9]*$/.test(id) || !methods.includes(method)) {
    const message = `${method} ${path} needs an operationId in camelCase and one of ${methods.join(', ')}`;
    report(planning, 'SURF001', pointer, message);
    return undefined;
  }
  for (const [, name = ''] of path.matchAll(/\{([^{}]*)\}/g)) {
    if (/^\w+$/.test(name)) continue;
    const message = `a parameter of a path is called by letters, digits and _, but in ${path} one is "${name}"`;
    report(planning, 'SURF010', pointer, message);
  }
  const extensions = planExtensions(planning, operation);
  if (!extensions) return undefined;
  const { summary, description } = node;
  const input = planInput(planning, operation, pascalCase(id));
  const replies = planReplies(planning, operation, pascalCase(id));
  const kinds = Object.values(input.body ?? {});
  const isKept = replies.every(({ contents }) => contents.length < 2 && !contents[0]?.stream);
  if (extensions.idempotency && (kinds.includes('stream') || !isKept)) {
    const message = 'a stream, or an answer that the client chooses, cannot be kept for a key';
    report(planning, 'SURF007', `${pointer}/x-idempotency`, message);
  }
  return {
    name: id,
    method: method as Route['method'],
    path,
    summary: typeof summary === 'string' ? summary : id,
    ...(typeof description === 'string' && { description }),
    ...extensions,
    ...input,
    replies,
    pointer,
  };
}

type Input = Pick<
  SurfaceRoute,
  'input' | 'parameters' | 'parametersType' | 'body' | 'bodyType' | 'files'
>;

function planInput(planning: RoutePlanning, operation: ApiOperation, type: string): Input {
  const declared = parametersOf(planning.document, operation).filter((parameter) =>
    places.includes(parameter.in),
  );
  const parameters = declared.length > 0 ? parametersSchema(declared) : undefined;
  const body = planBody(planning, operation, `${type}Body`);
  if (!parameters && !body) return {};
  const input = {
    type: 'object',
    properties: {
      ...(parameters && { parameters }),
      ...(body && { body: body.schema }),
      ...(body?.filesSchema && { files: body.filesSchema }),
    },
    required: [
      ...(parameters ? ['parameters'] : []),
      ...(body?.required ? ['body', ...(body.files ? ['files'] : [])] : []),
    ],
  };
  return {
    input,
    ...(parameters && {
      parameters: declared.map((parameter) => planParameter(planning, operation, parameter)),
      parametersType: planning.types.define(`${type}Parameters`, parameters),
    }),
    ...(body && { body: body.body, bodyType: body.bodyType }),
    ...(body?.files && { files: body.files }),
  };
}

/** `x-rest: true` on a path parameter lets it take slashes; nothing can stand behind it. */
function planParameter(
  planning: RoutePlanning,
  { path, pointer }: ApiOperation,
  { name, in: where, node }: ApiParameter,
): RouteParameter {
  const rest = node['x-rest'] === true;
  if (rest && !path.endsWith(`/{${name}}`)) {
    const message = `the rest of the path can only be the last segment of ${path}, but "${name}" is not`;
    report(planning, 'SURF005', pointer, message);
  }
  return { name, in: where as RouteParameter['in'], ...(rest && { rest }) };
}

function parametersSchema(declared: readonly ApiParameter[]): JsonSchema {
  const required = declared.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(declared.map(({ name, node }) => [name, describedSchema(node)])),
    ...(required.length > 0 && { required }),
  };
}

function describedSchema({ schema, description }: Record<string, unknown>): JsonSchema {
  const own = isObject(schema) ? schema : {};
  return typeof description === 'string' ? { description, ...own } : own;
}
