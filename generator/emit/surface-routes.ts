import { camelCase, pascalCase } from '../model/names.ts';
import { closeSchema, componentName } from '../model/schema-closure.ts';
import type { SurfaceModel, SurfaceReply, SurfaceRoute } from '../model/surface-model.ts';
import { docComment } from './doc-comment.ts';
import type { EmittedFile } from './emitted-file.ts';
import { handlerInterface } from './handler-interface.ts';
import { Code, lineWidth, literal } from './literal.ts';
import { constant, type Imports, printSourceFile, type Statement } from './source-file.ts';

/** Print the routes of a surface and the interface of the handlers that serve them. */
export function emitSurfaceRoutes(surface: SurfaceModel): EmittedFile {
  const { id, routes } = surface;
  const handlers = `${pascalCase(id)}Handlers`;
  const schemas = replySchemas(surface);
  const value = literal(routes.map((route) => routeValue(route, surface)));
  return printSourceFile({
    path: `generated/surfaces/${id}/routes.ts`,
    source: `specs/surfaces/${id}/openapi.yaml`,
    imports: importsOf(surface, schemas.length > 0),
    statements: [
      ...routes.map(routeTypes),
      handlerInterface(
        handlers,
        ['One handler for each route of this surface.'],
        routes.map((route) => ({
          name: route.name,
          docs: [`${route.method} ${route.path}: ${route.summary}`, route.description ?? ''],
          parameters: [`request: Request<${pascalCase(route.name)}>`],
          returns: `Promise<Reply<${pascalCase(route.name)}>>`,
        })),
      ),
      ...schemas,
      constant({
        name: `${camelCase(id)}Routes`,
        docs: ['The routes of this surface.'],
        value: `defineRoutes<${handlers}>(${value})`,
      }),
    ],
  });
}

function importsOf({ routes, types }: SurfaceModel, hasSchemas: boolean): Imports[] {
  const used = routes.flatMap(({ parametersType, bodyType, replies }) => [
    ...[parametersType, bodyType].filter((type) => type !== undefined),
    ...replies.flatMap(({ type }) => (type === undefined ? [] : [type])),
  ]);
  const names = [...new Set(used)].filter((name) => types.has(name));
  return [
    { from: '#contract/route', names: ['defineRoutes'], types: ['Reply', 'Request'] },
    ...(hasSchemas ? [{ from: '#contract/json', types: ['JsonSchema'] }] : []),
    ...(names.length > 0 ? [{ from: './types.ts', types: names }] : []),
  ];
}

/** `interface GetThing { parameters, body, replies }`. */
function routeTypes({ name, parametersType, bodyType, replies }: SurfaceRoute): Statement {
  const bodies = replies.map(({ status, type }) => `readonly ${status}: ${type ?? 'undefined'};`);
  const flat = `readonly replies: { ${bodies.join(' ').slice(0, -1)} };`;
  const lines = [
    ...(parametersType === undefined ? [] : [`readonly parameters: ${parametersType};`]),
    ...(bodyType === undefined ? [] : [`readonly body: ${bodyType};`]),
    flat.length + 2 <= lineWidth ? flat : `readonly replies: {\n    ${bodies.join('\n    ')}\n  };`,
  ];
  const docs = docComment([`What \`${name}\` takes and gives.`]);
  const text = `${docs}export interface ${pascalCase(name)} {\n  ${lines.join('\n  ')}\n}`;
  return (writer) => void writer.write(text);
}

/** The schemas of the named replies, each a constant. */
function replySchemas({ routes, components }: SurfaceModel): Statement[] {
  const replies = routes.flatMap((route) => route.replies);
  const names = new Set(replies.flatMap(({ schema }) => componentName(schema?.['$ref']) ?? []));
  return [...names].map((name) =>
    constant({
      name: camelCase(name),
      type: 'JsonSchema',
      value: literal(closeSchema(components.get(name) ?? {}, components)),
      exported: false,
    }),
  );
}

function routeValue(route: SurfaceRoute, surface: SurfaceModel): object {
  const { name, method, path, access, limit, parameters, input, replies } = route;
  const responses = replies.map((reply) => [reply.status, responseValue(reply, surface)]);
  return {
    name,
    method,
    path,
    access,
    limit,
    parameters,
    input,
    responses: Object.fromEntries(responses),
  };
}

function responseValue({ contentType, schema }: SurfaceReply, { components }: SurfaceModel) {
  if (!schema) return {};
  const name = componentName(schema['$ref']);
  return {
    contentType,
    schema: name === undefined ? closeSchema(schema, components) : new Code(camelCase(name)),
  };
}
