import { isObject } from '#contract/json';
import type {
  SurfaceContent,
  SurfaceModel,
  SurfaceReply,
  SurfaceRoute,
} from '../../model/house/surface-model.ts';
import { demandsOf } from '../../model/operation/operation-demands.ts';
import { camelCase, pascalCase } from '../../model/texts/names.ts';
import { docComment } from '../print/doc-comment.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { handlerInterface } from '../print/handler-interface.ts';
import { literal, propertyName } from '../print/literal.ts';
import { quoted } from '../print/quoted.ts';
import { constant, type Imports, printSourceFile } from '../print/source-file.ts';
import { createSchemaPrinter, type SchemaPrinter } from './surface-schemas.ts';

/** Print the routes of a surface and the interface of the handlers that serve them. */
export function emitSurfaceRoutes(surface: SurfaceModel, used: Set<string>): EmittedFile {
  const { id, routes } = surface;
  const handlers = `${pascalCase(id)}Handlers`;
  const schemas = createSchemaPrinter(surface, used);
  const value = literal(routes.map((route) => routeValue(route, schemas)));
  const file = printSourceFile({
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
  return { ...file, isRaw: true };
}

function importsOf({ routes, types }: SurfaceModel): Imports[] {
  const contents = routes.flatMap(({ replies }) => replies.flatMap((reply) => reply.contents));
  const used = [
    ...routes.flatMap(({ parametersType, bodyType }) => [parametersType, bodyType]),
    ...contents.map(({ type }) => type),
  ].flatMap((type) => type?.split(' | ') ?? []);
  const names = [...new Set(used)].filter((name) => types.has(name));
  const replyTypes = [
    ...(contents.some(({ stream }) => stream === 'chunks') ? ['Chunks'] : []),
    ...(contents.some(({ stream }) => stream === 'events') ? ['Events'] : []),
    ...(routes.some(({ replies }) => replies.some(isChoice)) ? ['Choice'] : []),
  ];
  const hasFiles = routes.some(({ files }) => files !== undefined);
  return [
    { from: '#contract/surface/route', names: ['defineRoutes'], types: ['Reply', 'Request'] },
    ...(hasFiles ? [{ from: '#contract/surface/route-file', types: ['UploadedFile'] }] : []),
    ...(replyTypes.length > 0
      ? [{ from: '#contract/surface/route-reply', types: replyTypes }]
      : []),
    ...(names.length > 0 ? [{ from: './types.ts', types: names }] : []),
  ];
}

/** `interface GetThing { parameters, body, files, replies }`. */
function routeTypes(route: SurfaceRoute): string {
  const { name, parametersType, bodyType, replies } = route;
  const filesType = filesText(route);
  const bodies = replies.map((reply) => `readonly ${reply.status}: ${replyType(reply)};`);
  const lines = [
    ...(parametersType === undefined ? [] : [`readonly parameters: ${parametersType};`]),
    ...(bodyType === undefined ? [] : [`readonly body: ${bodyType};`]),
    ...(filesType === undefined ? [] : [`readonly files: ${filesType};`]),
    `readonly replies: { ${bodies.join(' ').slice(0, -1)} };`,
  ];
  const docs = docComment([`What \`${name}\` takes and gives.`]);
  return `${docs}export interface ${pascalCase(name)} {\n  ${lines.join('\n  ')}\n}`;
}

function filesText({ files, input }: SurfaceRoute): string | undefined {
  if (files === undefined) return undefined;
  const properties = isObject(input?.['properties']) ? input['properties'] : {};
  const schema = isObject(properties['files']) ? properties['files'] : {};
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const members = Object.entries(files).map(([name, { many }]) => {
    const sign = required.includes(name) ? '' : '?';
    const type = many ? 'readonly UploadedFile[]' : 'UploadedFile';
    return `readonly ${propertyName(name)}${sign}: ${type}`;
  });
  return `{ ${members.join('; ')} }`;
}

function replyType({ contents }: SurfaceReply): string {
  const [first, ...others] = contents;
  if (!first) return 'undefined';
  if (others.length === 0) return contentType(first);
  const members = contents.map(
    (content) => `readonly ${quoted(content.contentType)}: ${contentType(content)}`,
  );
  return `Choice<{ ${members.join('; ')} }>`;
}

function contentType({ type, stream }: SurfaceContent): string {
  return stream === 'events' ? `Events<${type}>` : type;
}

function isChoice({ contents }: SurfaceReply): boolean {
  return contents.length > 1;
}

function routeValue(route: SurfaceRoute, schemas: SchemaPrinter): object {
  const { name, method, path, errors, cors, cache, isLong, isVital, maxBytes } = route;
  const { hasOwnToken } = route;
  const { parameters, body, files, input, replies } = route;
  return {
    name,
    method,
    path,
    ...demandsOf(route),
    errors,
    cors,
    cache,
    isLong,
    isVital,
    hasOwnToken,
    maxBytes,
    parameters,
    body,
    files,
    input: input && schemas.value(input),
    responses: Object.fromEntries(replies.map((reply) => [reply.status, responseValue(reply)])),
  };
}

function responseValue({ contents }: SurfaceReply): object {
  const [first, ...others] = contents.map(({ contentType: type }) => type);
  if (first === undefined) return {};
  return { contentType: others.length === 0 ? first : [first, ...others] };
}
