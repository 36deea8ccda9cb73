import { parseDuration } from '#contract/config/switch';
import { isObject, type JsonSchema } from '#contract/json';
import type { Access, OperationAudit, OperationLimit } from '#contract/operation';
import type { Route, RouteParameter } from '#contract/surface/route';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { DiagnosticCode } from '../../diagnostics/diagnostic-codes.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import {
  type ApiOperation,
  ApiOperations,
  type ApiParameter,
  parametersOf,
  resolve,
} from '../schema/api-operations.ts';
import type { NamedTypes } from '../schema/named-types.ts';
import { pascalCase } from '../texts/names.ts';
import type { SurfaceReply, SurfaceRoute } from './surface-model.ts';

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface Planning {
  readonly document: ApiDocument;
  readonly types: NamedTypes;
  readonly diagnostics: Diagnostic[];
}

/** Read the HTTP operations of a surface out of its description. */
export function planRoutes(planning: Planning): SurfaceRoute[] {
  return new ApiOperations(planning.document).all.flatMap((operation) => {
    const route = planRoute(planning, operation);
    return route === undefined ? [] : [route];
  });
}

function planRoute(planning: Planning, operation: ApiOperation): SurfaceRoute | undefined {
  const { id, method, path, node, pointer } = operation;
  if (id === undefined || !/^[a-z][A-Za-z0-9]*$/.test(id) || !methods.includes(method)) {
    const message = `${method} ${path} needs an operationId in camelCase and one of ${methods.join(', ')}`;
    report(planning, 'SURF001', pointer, message);
    return undefined;
  }
  const access = node['x-access'];
  const limit = limitOf(node['x-limit']);
  const audit = node['x-audit'];
  if (!isAccess(access) || limit === 'malformed' || !isAudit(audit)) {
    const message = `${method} ${path} must say x-access: public or x-access: [scope], and may say x-limit: { requests: 5, per: 1m } and x-audit: none, outcome or intent`;
    report(planning, 'SURF002', pointer, message);
    return undefined;
  }
  const { summary, description } = node;
  return {
    name: id,
    method: method as Route['method'],
    path,
    summary: typeof summary === 'string' ? summary : id,
    ...(typeof description === 'string' && { description }),
    access,
    ...(limit && { limit }),
    ...(audit && audit !== 'none' && { audit }),
    ...planInput(planning, operation, pascalCase(id)),
    replies: planReplies(planning, operation, pascalCase(id)),
    pointer,
  };
}

type Input = Pick<SurfaceRoute, 'input' | 'parameters' | 'parametersType' | 'body' | 'bodyType'>;

function planInput(planning: Planning, operation: ApiOperation, type: string): Input {
  const { types } = planning;
  const declared = parametersOf(planning.document, operation).filter(
    (parameter) => parameter.in === 'path' || parameter.in === 'query' || parameter.in === 'header',
  );
  const parameters = declared.length > 0 ? parametersSchema(declared) : undefined;
  const body = contentOf(
    planning,
    operation.node['requestBody'],
    `${operation.pointer}/requestBody`,
  );
  if (!parameters && !body) return {};
  const input = {
    type: 'object',
    properties: { ...(parameters && { parameters }), ...(body && { body: body.schema }) },
    required: [...(parameters ? ['parameters'] : []), ...(body?.required ? ['body'] : [])],
  };
  return {
    input,
    ...(parameters && {
      parameters: declared.map((parameter) => planParameter(planning, operation, parameter)),
      parametersType: types.define(`${type}Parameters`, parameters),
    }),
    ...(body && isText(body.contentType) && { body: 'text' as const }),
    ...(body && { bodyType: types.typeOf(body.schema, `${type}Body`) }),
  };
}

/** A form of a page comes as the text that it is. */
function isText(contentType: string): boolean {
  return contentType.startsWith('text/') || contentType === 'application/x-www-form-urlencoded';
}

/** `x-rest: true` on a path parameter lets it take slashes; nothing can stand behind it. */
function planParameter(
  planning: Planning,
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

function planReplies(planning: Planning, operation: ApiOperation, type: string): SurfaceReply[] {
  const responses = operation.node['responses'];
  if (!isObject(responses)) return [];
  return Object.entries(responses).map(([status, response]) => {
    const content = contentOf(planning, response, `${operation.pointer}/responses/${status}`);
    if (!content) return { status: Number(status) };
    const { contentType, schema } = content;
    const bodyType = planning.types.typeOf(schema, `${type}${status}`);
    return { status: Number(status), contentType, type: bodyType, schema };
  });
}

interface Content {
  readonly contentType: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** The one media type of a body; a surface has no use for a second one. */
function contentOf(planning: Planning, value: unknown, pointer: string): Content | undefined {
  if (!isObject(value)) return undefined;
  const { node } = resolve(planning.document, { node: value, pointer });
  const [first, second] = isObject(node['content']) ? Object.entries(node['content']) : [];
  if (second) report(planning, 'SURF004', `${pointer}/content`, 'a body has one media type');
  if (!first) return undefined;
  const [contentType, media] = first;
  const schema = isObject(media) && isObject(media['schema']) ? media['schema'] : {};
  return { contentType, schema, required: node['required'] === true };
}

function report(planning: Planning, code: DiagnosticCode, pointer: string, message: string): void {
  const at = { ...planning.document.locate(pointer), pointer };
  planning.diagnostics.push(diagnose(code, at, message));
}

function isAccess(value: unknown): value is Access {
  if (!Array.isArray(value)) return value === 'public';
  return value.length > 0 && value.every((scope) => typeof scope === 'string');
}

function isAudit(value: unknown): value is OperationAudit | 'none' | undefined {
  return value === undefined || value === 'none' || value === 'outcome' || value === 'intent';
}

/** `{ requests: 5, per: 1m }` in the terms of admission. */
function limitOf(raw: unknown): OperationLimit | 'malformed' | undefined {
  if (raw === undefined) return undefined;
  const { requests, per } = isObject(raw) ? raw : {};
  const perMs = parseDuration(String(per));
  const isCount = typeof requests === 'number' && requests > 0;
  return perMs !== undefined && isCount ? { requests, perMs } : 'malformed';
}
