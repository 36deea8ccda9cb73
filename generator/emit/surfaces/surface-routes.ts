import type { SurfaceModel, SurfaceReply, SurfaceRoute } from '../../model/house/surface-model.ts';
import { camelCase, pascalCase } from '../../model/texts/names.ts';
import { docComment } from '../print/doc-comment.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { handlerInterface } from '../print/handler-interface.ts';
import { lineWidth, literal } from '../print/literal.ts';
import { constant, type Imports, printSourceFile } from '../print/source-file.ts';
import { createSchemaPrinter, type SchemaPrinter } from './surface-schemas.ts';

/** Print the routes of a surface and the interface of the handlers that serve them. */
export function emitSurfaceRoutes(surface: SurfaceModel, used: Set<string>): EmittedFile {
  const { id, routes } = surface;
  const handlers = `${pascalCase(id)}Handlers`;
  const schemas = createSchemaPrinter(surface, used);
  const value = literal(routes.map((route) => routeValue(route, schemas)));
  return printSourceFile({
    path: `generated/surfaces/${id}/routes.ts`,
    source: `specs/surfaces/${id}/openapi.yaml`,
    imports: [...importsOf(surface), ...schemas.imports()],
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
      constant({
        name: `${camelCase(id)}Routes`,
        docs: ['The routes of this surface.'],
        value: `defineRoutes<${handlers}>(${value})`,
      }),
    ],
  });
}

function importsOf({ routes, types }: SurfaceModel): Imports[] {
  const used = routes.flatMap(({ parametersType, bodyType, replies }) => [
    ...[parametersType, bodyType].filter((type) => type !== undefined),
    ...replies.flatMap(({ type }) => (type === undefined ? [] : [type])),
  ]);
  const names = [...new Set(used)].filter((name) => types.has(name));
  return [
    { from: '#contract/surface/route', names: ['defineRoutes'], types: ['Reply', 'Request'] },
    ...(names.length > 0 ? [{ from: './types.ts', types: names }] : []),
  ];
}

/** `interface GetThing { parameters, body, replies }`. */
function routeTypes({ name, parametersType, bodyType, replies }: SurfaceRoute): string {
  const bodies = replies.map(({ status, type }) => `readonly ${status}: ${type ?? 'undefined'};`);
  const flat = `readonly replies: { ${bodies.join(' ').slice(0, -1)} };`;
  const lines = [
    ...(parametersType === undefined ? [] : [`readonly parameters: ${parametersType};`]),
    ...(bodyType === undefined ? [] : [`readonly body: ${bodyType};`]),
    flat.length + 2 <= lineWidth ? flat : `readonly replies: {\n    ${bodies.join('\n    ')}\n  };`,
  ];
  const docs = docComment([`What \`${name}\` takes and gives.`]);
  return `${docs}export interface ${pascalCase(name)} {\n  ${lines.join('\n  ')}\n}`;
}

function routeValue(route: SurfaceRoute, schemas: SchemaPrinter): object {
  const { name, method, path, access, limit, audit, parameters, body, input, replies } = route;
  const responses = replies.map((reply) => [reply.status, responseValue(reply, schemas)]);
  return {
    name,
    method,
    path,
    access,
    limit,
    audit,
    parameters,
    body,
    input: input && schemas.value(input),
    responses: Object.fromEntries(responses),
  };
}

function responseValue({ contentType, schema }: SurfaceReply, schemas: SchemaPrinter): object {
  return schema ? { contentType, schema: schemas.value(schema) } : {};
}
