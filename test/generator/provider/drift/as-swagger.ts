import { followed, isNode, type Node, nodeOf } from './vendor-copy.ts';

/** Where OpenAPI 3 keeps what Swagger 2.0 keeps at the root. */
const homes: Readonly<Record<string, string>> = {
  '#/components/schemas/': '#/definitions/',
  '#/components/parameters/': '#/parameters/',
  '#/components/responses/': '#/responses/',
};

/** A description in the words of Swagger 2.0, which has none for null and for forms. */
export function asSwagger(root: Node): Node {
  // Nor has it one for servers of single paths.
  const isOwn = Object.values(nodeOf(root['paths'])).some((item) => nodeOf(item)['servers']);
  if (isOwn) return root;
  const [server] = Array.isArray(root['servers']) ? root['servers'].map(nodeOf) : [];
  const { protocol, host, pathname } = new URL(String(server?.['url']));
  const { schemas, parameters, responses } = nodeOf(root['components']);
  const paths = Object.entries(nodeOf(root['paths'])).map(([path, item]) => [
    path,
    mapped(item, (operation) => operationOf(root, operation)),
  ]);
  return nodeOf(
    renamed({
      swagger: '2.0',
      ...{ info: root['info'], host, basePath: pathname, schemes: [protocol.slice(0, -1)] },
      paths: Object.fromEntries(paths),
      definitions: mapped(schemas, (schema) => schema),
      parameters: mapped(parameters, (one) => parameterOf(root, one)),
      responses: mapped(responses, responseOf),
    }),
  );
}

function mapped(map: unknown, change: (member: unknown) => unknown): Node {
  return Object.fromEntries(Object.entries(nodeOf(map)).map(([key, one]) => [key, change(one)]));
}

function operationOf(root: Node, value: unknown): unknown {
  if (!isNode(value) || !isNode(value['responses'])) return value;
  const { requestBody, responses, parameters, ...kept } = value;
  const given = (Array.isArray(parameters) ? parameters : []).map((one) => parameterOf(root, one));
  const body = followed(root, requestBody);
  const [[type, media] = [undefined, undefined]] = Object.entries(nodeOf(body['content']));
  const bodies =
    type === undefined
      ? []
      : [
          {
            name: 'body',
            in: 'body',
            required: body['required'] === true,
            schema: nodeOf(media)['schema'],
          },
        ];
  const types = Object.values(responses).flatMap((one) =>
    Object.keys(nodeOf(followed(root, one)['content'])),
  );
  return {
    ...kept,
    ...(type !== undefined && { consumes: [type] }),
    ...(types.length > 0 && { produces: [...new Set(types)] }),
    parameters: [...given, ...bodies],
    responses: mapped(responses, responseOf),
  };
}

/** Nothing but bodies refers to definitions. */
function parameterOf(root: Node, value: unknown): Node {
  const { schema, style: _, explode, example: __, ...kept } = nodeOf(value);
  if (kept['$ref'] !== undefined) return kept;
  const { $ref: ___, items, ...own } = { ...followed(root, schema), ...nodeOf(schema) };
  const isList = own['type'] === 'array';
  const isSpread = isList && kept['in'] === 'query' && explode !== false;
  return {
    ...kept,
    ...own,
    ...(isList && { items: followed(root, items) }),
    ...(isSpread && { collectionFormat: 'multi' }),
  };
}

function responseOf(value: unknown): Node {
  const { content, headers: _, links: __, ...kept } = nodeOf(value);
  const [media] = Object.values(nodeOf(content));
  const { schema } = nodeOf(media);
  return { ...kept, ...(isNode(schema) && { schema }) };
}

/** References where they lead now, and schemas without what there is no word for. */
function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value === 'string') {
    const home = Object.keys(homes).find((one) => value.startsWith(one));
    return home === undefined ? value : value.replace(home, () => homes[home] ?? '');
  }
  if (!isNode(value)) return value;
  const { type } = value;
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [];
  return {
    ...mapped(value, renamed),
    ...(types.length === 1 && { type: types[0] }),
  };
}
