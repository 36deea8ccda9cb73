import { isObject, type JsonSchema } from '#contract/json';
import type { BodyKind, Route } from '#contract/surface/route';
import type { WantedFile } from '#contract/surface/route-file';
import { type ApiOperation, resolve } from '../../schema/api-operations.ts';
import { type RoutePlanning, report } from './route-planning.ts';

/** What a route takes as its body. */
export interface RouteBodyPlan {
  readonly body: NonNullable<Route['body']>;
  readonly files?: NonNullable<Route['files']>;
  /** Schema of what the handler gets as `body`, as far as it is checked by one. */
  readonly schema: JsonSchema;
  readonly filesSchema?: JsonSchema;
  readonly required: boolean;
  readonly bodyType: string;
}

type Media = Readonly<Record<string, unknown>>;

/** Plan the body of a route out of the media types that its description lists. */
export function planBody(
  planning: RoutePlanning,
  operation: ApiOperation,
  name: string,
): RouteBodyPlan | undefined {
  const value = operation.node['requestBody'];
  if (!isObject(value)) return undefined;
  const at = `${operation.pointer}/requestBody`;
  const { node } = resolve(planning.document, { node: value, pointer: at });
  const content = isObject(node['content']) ? node['content'] : {};
  const media = Object.entries(content).map(([type, each]) => {
    const own: Media = isObject(each) ? each : {};
    const schema = isObject(own['schema']) ? own['schema'] : {};
    return { type, own, schema, kind: kindOf(type, own, resolvedSchema(planning, schema)) };
  });
  const [first] = media;
  if (!first) return undefined;
  for (const { type, kind, schema } of media) {
    if (kind !== undefined && JSON.stringify(schema) === JSON.stringify(first.schema)) continue;
    const message =
      kind === undefined
        ? `${type} is neither JSON nor a form, and its schema is no string`
        : `${type} has another schema than ${first.type}: a handler gets one kind of value`;
    report(planning, 'SURF004', `${at}/content`, message);
  }
  const kinds = media.flatMap(({ type, kind }) => (kind ? [[type.toLowerCase(), kind]] : []));
  const body: Record<string, BodyKind> = Object.fromEntries(kinds);
  const required = node['required'] === true;
  const optional = required ? '' : ' | undefined';
  if (first.kind === 'multipart') {
    return { body, required, ...planMultipart(planning, first, name, optional) };
  }
  const { schema, type } = handed(planning, first.kind, first.schema, name);
  return { body, required, schema, bodyType: `${type}${optional}` };
}

function handed(
  { types }: RoutePlanning,
  kind: BodyKind | undefined,
  schema: JsonSchema,
  name: string,
): { readonly schema: JsonSchema; readonly type: string } {
  // No schema of JSON says anything about bytes.
  if (kind === 'bytes') return { schema: {}, type: 'Uint8Array' };
  if (kind === 'stream') return { schema: {}, type: 'AsyncIterable<Uint8Array>' };
  return { schema, type: types.typeOf(schema, name) };
}

/** How a body is read, by its media type and its schema; nothing where both do not say. */
function kindOf(type: string, media: Media, schema: JsonSchema): BodyKind | undefined {
  const essence = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (media['x-stream'] === true) return 'stream';
  if (essence === 'multipart/form-data') return 'multipart';
  if (/[/+]json$/.test(essence)) return 'json';
  if (isBytes(schema)) return 'bytes';
  if (schema['type'] === 'string') return 'text';
  return essence === 'application/x-www-form-urlencoded' ? 'form' : undefined;
}

/** OpenAPI 3.1, Considerations for Binary Data: what 3.0 calls format: binary. */
function isBytes({ format, contentMediaType }: JsonSchema): boolean {
  return format === 'binary' || contentMediaType === 'application/octet-stream';
}

type Multipart = Pick<RouteBodyPlan, 'files' | 'schema' | 'filesSchema' | 'bodyType'>;

/** The members of the form that are bytes are files, all others are fields. */
function planMultipart(
  planning: RoutePlanning,
  { own, schema }: { readonly own: Media; readonly schema: JsonSchema },
  name: string,
  optional: string,
): Multipart {
  const whole = resolvedSchema(planning, schema);
  const properties = isObject(whole['properties']) ? Object.entries(whole['properties']) : [];
  const required = Array.isArray(whole['required']) ? whole['required'].map(String) : [];
  const encodings = isObject(own['encoding']) ? own['encoding'] : {};
  const files = new Map<string, WantedFile>();
  const fields: [string, unknown][] = [];
  for (const [key, property] of properties) {
    const file = isObject(property) ? fileOf(property, encodings[key]) : undefined;
    if (file) files.set(key, file);
    else fields.push([key, property]);
  }
  const isField = (key: string) => !files.has(key);
  const fieldsSchema = {
    ...whole,
    properties: Object.fromEntries(fields),
    required: required.filter(isField),
  };
  const filesSchema = {
    type: 'object',
    properties: Object.fromEntries([...files.keys()].map((key) => [key, {}])),
    required: required.filter((key) => files.has(key)),
  };
  return {
    schema: fieldsSchema,
    bodyType: `${planning.types.typeOf(fieldsSchema, name)}${optional}`,
    ...(files.size > 0 && {
      files: Object.fromEntries(files),
      filesSchema,
    }),
  };
}

function fileOf(property: JsonSchema, encoding: unknown): WantedFile | undefined {
  const items = isObject(property['items']) ? property['items'] : undefined;
  const one = items ?? property;
  if (!isBytes(one)) return undefined;
  const text = isObject(encoding) ? encoding['contentType'] : undefined;
  const types = typeof text === 'string' ? text.toLowerCase().split(/\s*,\s*/) : undefined;
  const { maxLength } = one;
  return {
    ...(items && { many: true }),
    ...(types && { types }),
    ...(typeof maxLength === 'number' && { maxBytes: maxLength }),
  };
}

function resolvedSchema({ document }: RoutePlanning, schema: JsonSchema): JsonSchema {
  return resolve(document, { node: { ...schema }, pointer: '' }).node;
}
