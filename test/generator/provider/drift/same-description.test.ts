import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stringify } from 'yaml';
import { asSwagger } from './as-swagger.ts';
import { descriptionOf, followed, isNode, type Node, nodeOf, openVendor } from './vendor-copy.ts';
import { rewritten } from './vendors.ts';

/** The same description, written otherwise. */
const copies: readonly [string, (root: Node, id: string) => Node | string][] = [
  ['as it is', (_, id) => descriptionOf(id)],
  ['as JSON', (root) => root],
  ['as YAML of another form', (root) => stringify(root, { defaultStringType: 'QUOTE_DOUBLE' })],
  ['in another order', (root) => reordered(root)],
  ['with other texts', (root) => retold(root)],
  ['with references written out', (root) => nodeOf(writtenOut(root, root, []))],
  ['with schemas moved to components', extracted],
  ['as OpenAPI 3.0', (root) => ({ ...nodeOf(lowered(root)), openapi: '3.0.4' })],
  ['as Swagger 2.0', asSwagger],
  ['with a part of the path in the address of the server', serverMoved],
];

for (const id of rewritten) {
  suite(id, async () => {
    const vendor = await openVendor(id);
    for (const [what, change] of copies) {
      test(`${id} ${what} has not drifted`, async () => {
        const { changes, compared } = await vendor.drift(change(vendor.copy(), id));
        assert.deepEqual(changes, []);
        assert.ok(compared > 0);
      });
    }
  });
}

function reordered(value: Node): Node {
  const turned = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(turned);
    if (!isNode(one)) return one;
    const entries = Object.entries(one).toReversed();
    const lists = new Set(['parameters', 'required', 'enum', 'oneOf', 'anyOf', 'tags', 'security']);
    return Object.fromEntries(
      entries.map(([key, member]) => {
        const inner = turned(member);
        return [key, lists.has(key) && Array.isArray(inner) ? inner.toReversed() : inner];
      }),
    );
  };
  return nodeOf(turned(value));
}

function retold(value: Node): Node {
  const words = new Set(['description', 'summary', 'title']);
  return JSON.parse(
    JSON.stringify(value, (key, member) =>
      words.has(key) && typeof member === 'string' ? `Other ${key}` : member,
    ),
  );
}

function writtenOut(root: Node, value: unknown, within: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((one) => writtenOut(root, one, within));
  if (!isNode(value)) return value;
  const target = followed(root, value);
  if (value !== target) {
    // What refers to itself keeps its reference.
    if (within.includes(target)) return value;
    const { $ref: _, ...beside } = value;
    return writtenOut(root, { ...target, ...beside }, [...within, target]);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === 'components' ? one : writtenOut(root, one, within),
    ]),
  );
}

function extracted(root: Node): Node {
  const components = nodeOf(root['components']);
  const schemas = nodeOf(components['schemas']);
  let count = 0;
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (!isNode(value)) return;
    const { schema } = value;
    if (isNode(schema) && schema['$ref'] === undefined) {
      count += 1;
      schemas[`Moved${count}`] = schema;
      value['schema'] = { $ref: `#/components/schemas/Moved${count}` };
    }
    for (const [key, one] of Object.entries(value)) if (key !== 'schema') visit(one);
  };
  visit(root['paths']);
  return { ...root, components: { ...components, schemas } };
}

/** What 3.1 says in the words of 3.0, where it has any. */
function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered);
  if (!isNode(value)) return value;
  const node: Node = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, lowered(one)]),
  );
  const { type, minimum, exclusiveMinimum: least, anyOf, oneOf, $ref, ...beside } = node;
  // Nothing stands beside a reference there.
  if ($ref !== undefined && Object.keys(beside).length > 0) return { ...beside, allOf: [{ $ref }] };
  if (Array.isArray(type)) {
    const others = type.filter((one) => one !== 'null');
    if (others.length === 1) node['type'] = others[0];
    else {
      delete node['type'];
      node['anyOf'] = others.map((one) => ({ type: one }));
    }
    if (type.includes('null')) node['nullable'] = true;
  }
  for (const [keyword, list] of Object.entries({ anyOf, oneOf })) {
    if (!Array.isArray(list) || !list.some(({ type: one }) => one === 'null')) continue;
    node[keyword] = list.filter(({ type: one }) => one !== 'null');
    node['nullable'] = true;
  }
  if (node['contentEncoding'] === 'base64') {
    delete node['contentEncoding'];
    node['format'] = 'byte';
  }
  if (typeof least === 'number' && minimum === undefined) {
    node['minimum'] = least;
    node['exclusiveMinimum'] = true;
  }
  if (node['const'] !== undefined && !isNode(node['const'])) {
    node['enum'] = [node['const']];
    delete node['const'];
  }
  return node;
}

/** The first part of all paths, where they share one. */
function serverMoved(root: Node): Node {
  const paths = Object.entries(nodeOf(root['paths']));
  const [first] = paths.map(([path]) => path.split('/')[1] ?? '');
  const isShared = first !== undefined && paths.every(([path]) => path.startsWith(`/${first}/`));
  const servers = root['servers'];
  const isOwn = paths.some(([, item]) => JSON.stringify(item).includes('"servers"'));
  if (!isShared || isOwn || !Array.isArray(servers) || first.includes('{')) return root;
  return {
    ...root,
    servers: servers.map((server) => ({ ...server, url: `${server.url}/${first}` })),
    paths: Object.fromEntries(paths.map(([path, item]) => [path.slice(first.length + 1), item])),
  };
}
