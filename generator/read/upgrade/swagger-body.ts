import { bareMap } from '../document/bare-map.ts';
import { valueText } from '../document/value-text.ts';
import type { Node } from '../document/walk.ts';
import type { WorkingDocument } from '../document/working-document.ts';
import type { Origin } from '../text/origins.ts';
import { within } from '../text/origins.ts';

/** A parameter in body or formData, its own reference followed. */
export interface BodyParameter {
  readonly node: Node;
  readonly origin: Origin;
}

const multipart = 'multipart/form-data';
const urlencoded = 'application/x-www-form-urlencoded';

/** Make a request body of the parameters in body and formData. */
export function requestBodyOf(
  document: WorkingDocument,
  parameters: readonly BodyParameter[],
  consumes: readonly string[],
): Node | undefined {
  const body = parameters.find(({ node }) => node['in'] === 'body');
  if (body !== undefined) return jsonBody(document, body, consumes);
  const fields = parameters.filter(({ node }) => typeof node['name'] === 'string');
  return fields.length === 0 ? undefined : formBody(document, fields, consumes);
}

function jsonBody(
  { origins }: WorkingDocument,
  body: BodyParameter,
  consumes: readonly string[],
): Node {
  const { node, origin } = body;
  const content = bareMap();
  for (const mediaType of consumes.length > 0 ? consumes : ['application/json']) {
    const media = bareMap({ schema: node['schema'] });
    origins.set(media, 'schema', within(origin, ['schema']));
    content[mediaType] = media;
  }
  const kept = ['description', 'required'].filter((key) => node[key] !== undefined);
  return bareMap({ ...Object.fromEntries(kept.map((key) => [key, node[key]])), content });
}

function formBody(
  { origins }: WorkingDocument,
  fields: readonly BodyParameter[],
  consumes: readonly string[],
): Node {
  const properties = bareMap();
  const encoding = bareMap();
  for (const { node, origin } of fields) {
    const name = valueText(node['name']);
    const schema = node['schema'] as Node;
    if (node['description'] !== undefined) schema['description'] ??= node['description'];
    origins.set(properties, name, origin);
    properties[name] = schema;
    const { style, explode } = node;
    if (style !== undefined) encoding[name] = bareMap({ style, explode });
  }
  const required = fields.filter(({ node }) => node['required'] === true);
  const schema = bareMap({ type: 'object', properties });
  if (required.length > 0) schema['required'] = required.map(({ node }) => node['name']);
  const hasFile = fields.some(({ node }) => isFile(node['schema'] as Node));
  const content = bareMap();
  for (const mediaType of formTypes(consumes, hasFile)) {
    content[mediaType] = bareMap(
      Object.keys(encoding).length === 0 ? { schema } : { schema, encoding },
    );
  }
  return bareMap(required.length > 0 ? { content, required: true } : { content });
}

function isFile(schema: Node): boolean {
  return schema['type'] === undefined && schema['contentMediaType'] === 'application/octet-stream';
}

/** Files need multipart; the rest goes as the operation says, urlencoded when it says nothing. */
function formTypes(consumes: readonly string[], hasFile: boolean): readonly string[] {
  if (hasFile) return [multipart];
  const named = consumes.filter((type) => type === multipart || type === urlencoded);
  return named.length > 0 ? named : [urlencoded];
}
