import { isObject, type JsonSchema } from '#contract/json';
import type { Access, OperationLimit } from '#contract/operation';
import type { Route, RouteParameter } from '#contract/route';
import { parseDuration } from '#contract/switch';
import { diagnose } from '../diagnose.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { DiagnosticCode } from '../diagnostic-codes.ts';
import type { ApiDocument } from '../read/api-document.ts';
import { formatPointer } from '../read/json-pointer.ts';
import { type NamedTypes, pascalCase } from './named-types.ts';
import { closeSchema } from './schema-closure.ts';
import type { SurfaceReply, SurfaceRoute } from './surface-model.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

type Node = Readonly<Record<string, unknown>>;

interface Planning {
  readonly document: ApiDocument;
  readonly components: ReadonlyMap<string, JsonSchema>;
  readonly types: NamedTypes;
  readonly diagnostics: Diagnostic[];
}

/** Read the HTTP operations of a surface out of its description. */
export function planRoutes(planning: Planning): SurfaceRoute[] {
  const paths = Object.entries(planning.document.root.paths ?? {});
  return paths.flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (!isObject(operation)) return [];
      const pointer = formatPointer(['paths', path, method]);
      const route = planRoute(planning, { path, method, item, operation, pointer });
      return route === undefined ? [] : [route];
    }),
  );
}

interface Place {
  readonly path: string;
  readonly method: (typeof methods)[number];
  readonly item: Node;
  readonly operation: Node;
  readonly pointer: string;
}

function planRoute(planning: Planning, place: Place): SurfaceRoute | undefined {
  const { operation, path, pointer } = place;
  const name = operation['operationId'];
  if (typeof name !== 'string' || !/^[a-z][A-Za-z0-9]*$/.test(name)) {
    report(planning, 'SURF001', pointer, 'operationId must be the name of a handler in camelCase');
    return undefined;
  }
  const access = operation['x-access'];
  if (!isAccess(access)) {
    report(planning, 'SURF002', pointer, 'x-access must be "public" or a list of scopes');
    return undefined;
  }
  const type = pascalCase(name);
  const limit = limitOf(operation['x-limit']);
  const description = operation['description'];
  return {
    name,
    method: place.method.toUpperCase() as Route['method'],
    path,
    summary: String(operation['summary'] ?? name),
    ...(typeof description === 'string' && { description }),
    access,
    ...(limit && { limit }),
    ...planInput(planning, place, type),
    replies: planReplies(planning, place, type),
    pointer,
  };
}

type Input = Pick<SurfaceRoute, 'input' | 'parameters' | 'parametersType' | 'bodyType'>;

function planInput(planning: Planning, place: Place, type: string): Input {
  const parameters = declaredParameters(planning, place);
  const body = contentOf(
    planning,
    resolve(planning, place.operation['requestBody']),
    place.pointer,
  );
  const properties: Record<string, JsonSchema> = {};
  if (parameters.length > 0) {
    properties['parameters'] = {
      type: 'object',
      properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
    };
  }
  if (body) properties['body'] = body.schema;
  const required = Object.keys(properties).filter((key) => key !== 'body' || body?.required);
  if (required.length === 0 && !body) return {};
  const input = { type: 'object', properties, required };
  return {
    input: closeSchema(input, planning.components),
    ...(properties['parameters'] && {
      parameters: parameters.map(({ name, in: where }) => ({ name, in: where })),
      parametersType: planning.types.define(`${type}Parameters`, properties['parameters']),
    }),
    ...(body && { bodyType: planning.types.typeOf(body.schema, `${type}Body`) }),
  };
}

interface Declared extends RouteParameter {
  readonly required: boolean;
  readonly schema: JsonSchema;
}

function declaredParameters(planning: Planning, { item, operation }: Place): Declared[] {
  const lists = [item['parameters'], operation['parameters']].filter(Array.isArray);
  const byKey = new Map<string, Declared>();
  for (const raw of lists.flat()) {
    const node = resolve(planning, raw);
    const where = node?.['in'];
    if (!node || (where !== 'path' && where !== 'query' && where !== 'header')) continue;
    const schema = isObject(node['schema']) ? node['schema'] : {};
    byKey.set(`${where} ${node['name']}`, {
      name: String(node['name']),
      in: where,
      required: node['required'] === true,
      schema: { ...schema, ...(node['description'] ? { description: node['description'] } : {}) },
    });
  }
  return [...byKey.values()];
}

function planReplies(planning: Planning, place: Place, type: string): SurfaceReply[] {
  const responses = place.operation['responses'];
  if (!isObject(responses)) return [];
  return Object.entries(responses).map(([status, raw]) => {
    const pointer = `${place.pointer}/responses/${status}`;
    const content = contentOf(planning, resolve(planning, raw), pointer);
    if (!content) return { status: Number(status) };
    return {
      status: Number(status),
      contentType: content.contentType,
      type: planning.types.typeOf(content.schema, `${type}${status}`),
      schema: content.schema,
    };
  });
}

interface Content {
  readonly contentType: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** The one media type of a body; a surface has no use for a second one. */
function contentOf(
  planning: Planning,
  node: Node | undefined,
  pointer: string,
): Content | undefined {
  const content = node?.['content'];
  if (!isObject(content)) return undefined;
  const [first, second] = Object.entries(content);
  if (second) report(planning, 'SURF004', `${pointer}/content`, 'a body has one media type');
  if (!first) return undefined;
  const [contentType, media] = first;
  const schema = isObject(media) && isObject(media['schema']) ? media['schema'] : {};
  return { contentType, schema, required: node?.['required'] === true };
}

function resolve({ document }: Planning, raw: unknown): Node | undefined {
  if (!isObject(raw)) return undefined;
  const [, kind, name] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(String(raw['$ref'])) ?? [];
  if (kind === undefined || name === undefined) return raw;
  return document.root.components?.[kind]?.[name];
}

function report(planning: Planning, code: DiagnosticCode, pointer: string, message: string): void {
  const at = { ...planning.document.locate(pointer), pointer };
  planning.diagnostics.push(diagnose(code, at, message));
}

function isAccess(value: unknown): value is Access {
  return (
    value === 'public' ||
    (Array.isArray(value) && value.length > 0 && value.every((scope) => typeof scope === 'string'))
  );
}

/** `{ requests: 5, per: 1m }` in the terms of admission. */
export function limitOf(raw: unknown): OperationLimit | undefined {
  if (!isObject(raw)) return undefined;
  const perMs = parseDuration(String(raw['per']));
  const requests = Number(raw['requests']);
  return perMs === undefined || !(requests > 0) ? undefined : { requests, perMs };
}
