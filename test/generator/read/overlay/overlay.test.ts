import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { place, plain, readFiles } from '../read-files.ts';

const api = `openapi: 3.1.0
info: {title: a, version: "1"}
tags: [{name: one}, {name: two}, {name: three}]
paths:
  /a: {get: {operationId: a, tags: [one]}}
  /b: {get: {operationId: b}}
components: {schemas: {A: {type: object, properties: {x: {type: string}}}}}
`;

async function overlaid(t: TestContext, actions: string, version = '1.1.0') {
  const overlay = `overlay: ${version}\ninfo: {title: o, version: "1"}\nactions:\n${actions}`;
  const { document, diagnostics } = await readFiles(t, {
    'api.yaml': api,
    'overlay.yaml': overlay,
    'other.yaml': 'Other: {type: number}\n',
  });
  if (document === undefined) throw new Error('there is no document');
  const codes = diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);
  return { document, root: plain(document), codes };
}

test('update merges objects recursively and replaces plain values', async (t) => {
  const { root, codes } = await overlaid(
    t,
    `  - target: $.components.schemas.A
    update: {description: d, properties: {x: {type: number}, y: {type: string}}}
`,
  );
  assert.deepEqual(codes, []);
  assert.deepEqual(root.components.schemas.A, {
    type: 'object',
    properties: { x: { type: 'number' }, y: { type: 'string' } },
    description: 'd',
  });
});

test('lists in an update are appended, and so is anything to a list', async (t) => {
  const { root, codes } = await overlaid(
    t,
    `  - {target: "$.paths['/a'].get", update: {tags: [two]}}
  - {target: $.tags, update: {name: four}}
  - {target: $.tags, update: [{name: five}]}
`,
  );
  assert.deepEqual(codes, []);
  assert.deepEqual(root.paths['/a'].get.tags, ['one', 'two']);
  assert.deepEqual(
    root.tags.map(({ name }: { name: string }) => name),
    ['one', 'two', 'three', 'four', 'five'],
  );
});

test('actions see what earlier actions did, and each target gets its own copy', async (t) => {
  const { root, codes } = await overlaid(
    t,
    `  - {target: $.paths.*.get, update: {x-new: {n: 1}}}
  - {target: "$.paths['/a'].get.x-new", update: {n: 2}}
`,
  );
  assert.deepEqual(codes, []);
  assert.deepEqual(root.paths['/a'].get['x-new'], { n: 2 });
  assert.deepEqual(root.paths['/b'].get['x-new'], { n: 1 });
});

test('remove wins over update, and later items of a list keep their places', async (t) => {
  const { root, document, codes } = await overlaid(
    t,
    '  - {target: "$.tags[2, 0]", remove: true, update: {name: x}}\n',
  );
  assert.deepEqual(codes, []);
  assert.deepEqual(root.tags, [{ name: 'two' }]);
  assert.equal(place(document, '/tags/0'), 'api.yaml:3:21');
});

test('copy takes the value of one node (Overlay 1.1)', async (t) => {
  const { root, codes } = await overlaid(
    t,
    `  - {target: "$.paths['/b'].get", copy: "$.paths['/a'].get"}
  - {target: "$.paths['/b'].get.operationId", update: b}
`,
  );
  assert.deepEqual(codes, []);
  assert.deepEqual(root.paths['/b'].get, { operationId: 'b', tags: ['one'] });
});

test('plain values can be targets in Overlay 1.1 only', async (t) => {
  const action = '  - {target: $.info.title, update: new}\n';
  const { root } = await overlaid(t, action);
  assert.equal(root.info.title, 'new');
  assert.deepEqual((await overlaid(t, action, '1.0.0')).codes, ['SPEC031 4:28']);
});

test('what an overlay writes stands where the overlay wrote it', async (t) => {
  const { document } = await overlaid(
    t,
    `  - target: $.components.schemas
    update:
      B: {type: object, properties: {y: {type: string}}}
`,
  );
  assert.equal(place(document, '/components/schemas/B/properties/y'), 'overlay.yaml:6:38');
  assert.equal(place(document, '/components/schemas/A'), 'api.yaml:7:24');
});

test('references that an overlay writes are resolved from the description', async (t) => {
  const { root, codes } = await overlaid(
    t,
    `  - target: $.components.schemas
    update:
      B: {type: object, properties: {a: {$ref: "#/components/schemas/A"}, o: {$ref: "other.yaml#/Other"}}}
`,
  );
  assert.deepEqual(codes, []);
  assert.deepEqual(root.components.schemas.B.properties.o, { $ref: '#/components/schemas/Other' });
});

test('an overlay can repair what would be an error without it', async (t) => {
  const { diagnostics } = await readFiles(t, {
    'api.yaml': `${api}  x: 1\nwrong: true\n`.replace('  x: 1\n', ''),
    'overlay.yaml':
      'overlay: 1.0.0\ninfo: {title: o, version: "1"}\nactions: [{target: $.wrong, remove: true}]\n',
  });
  assert.deepEqual(diagnostics, []);
});
