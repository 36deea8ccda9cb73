import { isObject } from '#contract/json';
import { bareMap } from '../document/bare-map.ts';
import type { Version } from '../document/document-version.ts';
import { valueText } from '../document/value-text.ts';
import type { Node } from '../document/walk.ts';
import type { Path } from '../text/origins.ts';
import type { Told } from './told.ts';

interface At {
  readonly path: Path;
  readonly told: Told;
}

/** Read a body that is written as the other version of the specification has it, or only in part. */
export function repairBody(node: Node, version: Version, at: At): void {
  if (version === '2.0') fromRequestBody(node, at);
  else {
    fromParameters(node, at);
    completeBody(node, at);
  }
}

/** `requestBody` in Swagger 2.0: its first media type becomes the parameter in the body. */
function fromRequestBody(node: Node, { path, told }: At): void {
  const { requestBody, parameters = [] } = node;
  if (!isObject(requestBody) || !isObject(requestBody['content'])) return;
  const [first] = Object.entries(requestBody['content']);
  if (!first || !Array.isArray(parameters)) return;
  const [type, media] = first;
  const schema = isObject(media) ? media['schema'] : undefined;
  delete node['requestBody'];
  told([...path, 'requestBody'], '"requestBody" is read as a parameter in the body');
  if (parameters.some(inBody)) return;
  node['parameters'] = parameters;
  parameters.push(
    bareMap({ name: 'body', in: 'body', schema: schema ?? bareMap(), ...required(requestBody) }),
  );
  node['consumes'] ??= [type];
}

/** Parameters in `body` and `formData` of OpenAPI 3 become the body. */
function fromParameters(node: Node, { path, told }: At): void {
  const { parameters } = node;
  if (!Array.isArray(parameters)) return;
  const moved = parameters.filter(inBody);
  if (moved.length === 0) return;
  node['parameters'] = parameters.filter((parameter) => !moved.includes(parameter));
  told([...path, 'parameters'], 'parameters in "body" and "formData" are read as "requestBody"');
  if (node['requestBody'] !== undefined) return;
  const whole = moved.find((parameter) => parameter['in'] === 'body');
  const isFile = moved.some((parameter) => typeOf(parameter) === 'file');
  const form = isFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  const schema = whole ? (whole['schema'] ?? bareMap()) : formOf(moved);
  const media = bareMap({ schema });
  node['requestBody'] = bareMap({
    content: bareMap({ [whole ? 'application/json' : form]: media }),
    ...(moved.some((parameter) => parameter['required'] === true) && { required: true }),
  });
}

function formOf(fields: readonly Node[]): Node {
  const properties = fields.map((field) => {
    const { name, in: _, required: __, schema, ...rest } = field;
    const given = isObject(schema) ? { ...rest, ...schema } : rest;
    const isFile = typeOf(field) === 'file';
    return [
      valueText(name),
      bareMap(isFile ? { type: 'string', format: 'binary' } : given),
    ] as const;
  });
  const needed = fields.filter((field) => field['required'] === true).map(({ name }) => name);
  return bareMap({
    type: 'object',
    properties: bareMap(Object.fromEntries(properties)),
    ...(needed.length > 0 && { required: needed }),
  });
}

const ofSchemas = ['type', 'properties', 'allOf', 'oneOf', 'anyOf', 'items'];

/** A body without `content`, or with a schema in the place of the media type that holds it. */
function completeBody({ requestBody }: Node, { path, told }: At): void {
  if (!isObject(requestBody) || typeof requestBody['$ref'] === 'string') return;
  const at = [...path, 'requestBody'];
  const { content } = requestBody;
  if (content === undefined) {
    const schema = isObject(requestBody['schema']) ? requestBody['schema'] : bareMap();
    delete requestBody['schema'];
    requestBody['content'] = bareMap({ 'application/json': bareMap({ schema }) });
    told(at, '"requestBody" must have "content"; it is read as JSON');
  }
  if (!isObject(content)) return;
  for (const [type, media] of Object.entries(content)) {
    if (isObject(media) && /^multipart\/form-data\b/i.test(type)) nameFile(media, at, told);
    if (!isObject(media) || media['schema'] !== undefined) continue;
    if (!ofSchemas.some((key) => media[key] !== undefined)) continue;
    content[type] = bareMap({ schema: media });
    told([...at, 'content', type], 'what a media type holds stands under "schema"');
  }
}

/** A form has parts with names: of a file alone it is not said what its part is called. */
function nameFile(media: Node, path: Path, told: Told): void {
  const { schema } = media;
  if (!isObject(schema)) return;
  const { type, format } = schema;
  if (type !== 'file' && !(type === 'string' && format === 'binary')) return;
  const properties = bareMap({ file: bareMap({ ...schema, type: 'string', format: 'binary' }) });
  media['schema'] = bareMap({ type: 'object', properties, required: ['file'] });
  told(path, 'a form has parts with names; the file is read as the part "file"');
}

function inBody(parameter: unknown): parameter is Node {
  return isObject(parameter) && ['body', 'formData'].includes(valueText(parameter['in']));
}

function typeOf({ type, schema }: Node): unknown {
  return type ?? (isObject(schema) ? schema['type'] : undefined);
}

function required(node: Node) {
  return node['required'] === true ? { required: true } : {};
}
