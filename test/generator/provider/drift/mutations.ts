import {
  declare,
  demand,
  demandInside,
  has,
  lessValues,
  listed,
  moreValues,
  moveList,
  movePath,
  pagingGone,
  set,
} from './mutation-steps.ts';
import {
  answerOf,
  bodyOf,
  followed,
  isNode,
  type Node,
  nodeOf,
  type Operation,
  operationsOf,
  queryOf,
  type Vendor,
} from './vendor-copy.ts';

/** What a change of a description is to callers. */
export type Expected = readonly [kind: string, breaks: boolean];

/** Changes a copy; gives the tool that notices, nothing where the vendor has no place for it. */
export type Mutate = (root: Node, vendor: Vendor) => string | undefined;

export const narrowed: Expected = ['narrowed', true];
export const widened: Expected = ['widened', false];
export const altered: Expected = ['altered', true];
export const noted: Expected = ['altered', false];

type Query = ReturnType<typeof queryOf>[number];
type Body = NonNullable<ReturnType<typeof bodyOf>>;
type Answer = NonNullable<ReturnType<typeof answerOf>>;

/** Change the first query parameter of which `change` says that it can. */
function query(change: (found: Query, operation: Operation, root: Node) => boolean): Mutate {
  return first((operation, root) =>
    queryOf(root, operation).some((found) => change(found, operation, root)),
  );
}

function body(change: (found: Body, operation: Operation, root: Node) => boolean): Mutate {
  return first((operation, root) => {
    const found = bodyOf(root, operation);
    return found !== undefined && change(found, operation, root);
  });
}

function answer(change: (found: Answer, operation: Operation, root: Node) => boolean): Mutate {
  return first((operation, root) => {
    const found = answerOf(root, operation);
    return found !== undefined && change(found, operation, root);
  });
}

/** Change the first operation of which `change` says that it can. */
function first(change: (operation: Operation, root: Node) => boolean): Mutate {
  return (root, vendor) =>
    operationsOf(vendor, root).find((operation) => change(operation, root))?.tool.definition.name;
}

function parameter(operation: Operation, added: Node): boolean {
  const list = operation.operation['parameters'];
  operation.operation['parameters'] = [...(Array.isArray(list) ? list : []), added];
  return true;
}

/** The first member of an answer that callers see and that is of a type. */
function member({ properties, names }: Answer, root: Node, type: string) {
  const name = names.find((one) => has(followed(root, properties[one]), type));
  return name === undefined ? undefined : { name, schema: followed(root, properties[name]) };
}

function methodOf({ tool }: Operation): string {
  return tool.origin.method.toLowerCase();
}

const text = { type: 'string' };

/** Kinds of mutation: what is done, what callers make of it, and what does it. */
export const mutations: readonly [string, Expected, Mutate][] = [
  ['the operation is gone', ['removed', true], first((at) => delete at.pathItem[methodOf(at)])],
  [
    'another operationId',
    ['renamed', true],
    first(({ operation }) =>
      set(operation, operation['operationId'] !== undefined, { operationId: 'somethingElse' }),
    ),
  ],
  ['another path, the same operationId', altered, movePath],
  [
    'the operation is deprecated',
    ['deprecated', false],
    first(({ operation }) => set(operation, true, { deprecated: true })),
  ],
  ['a query parameter is gone', narrowed, query(({ remove }) => remove() === undefined)],
  [
    'a query parameter becomes required',
    narrowed,
    query(({ parameter: one }) => set(one, one['required'] !== true, { required: true })),
  ],
  [
    'a required query parameter is new',
    narrowed,
    first((at) => parameter(at, { name: 'region', in: 'query', required: true, schema: text })),
  ],
  [
    'an optional query parameter is new',
    widened,
    first((at) => parameter(at, { name: 'region', in: 'query', schema: text })),
  ],
  [
    'a required header is new',
    narrowed,
    first((at) => parameter(at, { name: 'X-Region', in: 'header', required: true, schema: text })),
  ],
  [
    'a required cookie is new',
    narrowed,
    first((at) => parameter(at, { name: 'region', in: 'cookie', required: true, schema: text })),
  ],
  [
    'a query parameter moves to the headers',
    altered,
    query(({ parameter: one }) => set(one, true, { in: 'header' })),
  ],
  [
    'a query parameter is of another type',
    narrowed,
    query(({ schema }) =>
      set(
        schema,
        has(schema, 'string') && schema['pattern'] === undefined && schema['format'] === undefined,
        { type: 'boolean' },
      ),
    ),
  ],
  [
    'a query parameter has a pattern',
    narrowed,
    query(({ schema }) =>
      set(schema, has(schema, 'string') && schema['pattern'] === undefined, {
        pattern: '^[a-z]{3}$',
      }),
    ),
  ],
  [
    'a query parameter has a format',
    narrowed,
    query(({ schema }) =>
      set(schema, has(schema, 'string') && schema['format'] === undefined, { format: 'uuid' }),
    ),
  ],
  [
    'a query parameter has a smaller maximum',
    narrowed,
    query(({ schema }) =>
      set(schema, has(schema, 'integer') && Number(schema['maximum'] ?? 9) > 3, { maximum: 3 }),
    ),
  ],
  [
    'a query parameter has a larger minimum',
    narrowed,
    query(({ schema }) => set(schema, has(schema, 'integer'), { minimum: 7 })),
  ],
  [
    'a query parameter has a larger maximum',
    widened,
    query(({ schema }) => set(schema, typeof schema['maximum'] === 'number', { maximum: 9e9 })),
  ],
  [
    'a query parameter is shorter',
    narrowed,
    query(({ schema }) => set(schema, has(schema, 'string'), { maxLength: 2 })),
  ],
  [
    'a query parameter takes listed values only',
    narrowed,
    query(({ schema }) =>
      set(schema, has(schema, 'string') && schema['format'] === undefined, { enum: ['one'] }),
    ),
  ],
  ['a query parameter takes a value less', narrowed, query(({ schema }) => lessValues(schema))],
  ['a query parameter takes a value more', widened, query(({ schema }) => moreValues(schema))],
  [
    'a query parameter has another default',
    noted,
    query(({ schema }) =>
      set(schema, has(schema, 'integer') && schema['default'] !== 6, { default: 6 }),
    ),
  ],
  [
    'a query parameter is deprecated',
    ['deprecated', false],
    query(({ parameter: one }) => set(one, true, { deprecated: true })),
  ],
  [
    'a list in the query is written otherwise',
    altered,
    query(({ parameter: one, schema }) =>
      set(one, has(schema, 'array') && one['style'] === undefined, {
        style: 'pipeDelimited',
        explode: false,
      }),
    ),
  ],
  ['what lists continue by is gone', narrowed, pagingGone],
  [
    'a member of the body is gone',
    narrowed,
    body(({ properties, names: [name = ''] }) => name in properties && delete properties[name]),
  ],
  [
    'a member of the body becomes required',
    narrowed,
    body(({ schema, properties, names }) =>
      demand(
        schema,
        names.find((name) => name in properties && !listed(schema['required']).includes(name)),
      ),
    ),
  ],
  [
    'a required member of the body is new',
    narrowed,
    body(
      ({ schema, properties }) =>
        demand(schema, 'region') && set(properties, true, { region: text }),
    ),
  ],
  [
    'an optional member of the body is new',
    widened,
    body(({ properties }) => set(properties, true, { region: text })),
  ],
  [
    'a nested member of the body becomes required',
    narrowed,
    body((found, _, root) =>
      found.names.some((name) => demandInside(followed(root, found.properties[name]))),
    ),
  ],
  [
    'a member of items in the body becomes required',
    narrowed,
    body((found, _, root) =>
      found.names.some((name) =>
        demandInside(followed(root, followed(root, found.properties[name])['items'])),
      ),
    ),
  ],
  [
    'a member of the body is of another type',
    narrowed,
    body((found, _, root) =>
      found.names.some((name) => {
        const one = followed(root, found.properties[name]);
        return set(one, has(one, 'string'), { type: 'boolean' });
      }),
    ),
  ],
  [
    'a body is new and required',
    narrowed,
    first(({ operation }) =>
      set(operation, operation['requestBody'] === undefined, {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['a'], properties: { a: text } },
            },
          },
        },
      }),
    ),
  ],
  [
    'a body becomes required',
    narrowed,
    body(({ body: one }) => set(one, one['required'] !== true, { required: true })),
  ],
  [
    'the body is of another media type',
    altered,
    body(({ body: one }) => {
      const { 'application/json': media, ...others } = nodeOf(one['content']);
      return set(one, media !== undefined && Object.keys(others).length === 0, {
        content: { 'application/x-www-form-urlencoded': media },
      });
    }),
  ],
  [
    'a member of the answer is gone',
    narrowed,
    answer(({ properties, names: [name = ''] }) => name in properties && delete properties[name]),
  ],
  [
    'a member of the answer is of another type',
    narrowed,
    answer((found, _, root) => {
      const one = member(found, root, 'string');
      return one !== undefined && set(one.schema, true, { type: 'integer' });
    }),
  ],
  [
    'a member of the answer is new',
    widened,
    answer(({ item, properties, isPicked }) =>
      set(properties, isNode(item['properties']) && !isPicked, { region: text }),
    ),
  ],
  [
    'a member of the answer may be null',
    widened,
    answer((found, _, root) => {
      const one = member(found, root, 'string');
      return (
        one !== undefined &&
        typeof one.schema['type'] === 'string' &&
        set(one.schema, true, { type: ['string', 'null'] })
      );
    }),
  ],
  [
    'a member of the answer may have another value',
    narrowed,
    answer((found, _, root) =>
      found.names.some((name) => moreValues(followed(root, found.properties[name]))),
    ),
  ],
  [
    'a member of the answer has a value less',
    widened,
    answer((found, _, root) =>
      found.names.some((name) => lessValues(followed(root, found.properties[name]))),
    ),
  ],
  [
    'the answer is of another media type',
    altered,
    answer(
      ({ content, media }) =>
        Object.keys(content).length === 1 &&
        delete content['application/json'] &&
        set(content, true, { 'text/html': media }),
    ),
  ],
  ['the list of the answer stands elsewhere', narrowed, answer(moveList)],
  [
    'the answer has no content',
    narrowed,
    answer(({ content }, { operation }, root) => {
      const response = followed(root, nodeOf(operation['responses'])['200']);
      return response['content'] === content && delete response['content'];
    }),
  ],
  [
    'another server',
    altered,
    (root, vendor) =>
      set(root, Array.isArray(root['servers']), {
        servers: [{ url: 'https://elsewhere.example/v9' }],
      })
        ? operationsOf(vendor, root).find(
            ({ operation, pathItem }) => !operation['servers'] && !pathItem['servers'],
          )?.tool.definition.name
        : undefined,
  ],
  [
    'another server of one operation',
    altered,
    first(({ operation }) =>
      set(operation, true, { servers: [{ url: 'https://elsewhere.example/v9' }] }),
    ),
  ],
  [
    'another credential of one operation',
    altered,
    (root, vendor) => {
      declare(root);
      return first(({ operation }) => set(operation, true, { security: [{ driftKey: [] }] }))(
        root,
        vendor,
      );
    },
  ],
];
