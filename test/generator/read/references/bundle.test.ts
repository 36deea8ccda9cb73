import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { ApiOperations } from '../../../../generator/model/schema/api-operations.ts';
import { readApi } from '../../../../generator/read/read-api.ts';
import { place, readFiles, readGood } from '../read-files.ts';

const head = 'openapi: 3.1.0\ninfo: {title: a, version: "1"}\n';

test('a schema of another file becomes a component under its own name, once', async (t) => {
  const { root, document } = await readGood(t, {
    'api.yaml': `${head}components:
  schemas:
    A: {type: object, properties: {x: {$ref: "parts/money.yaml"}, y: {$ref: "parts/money.yaml"}}}
`,
    'parts/money.yaml': 'type: object\nproperties:\n  unit: {$ref: "units.yaml#/Unit"}\n',
    'parts/units.yaml': 'Unit: {type: string}\n',
  });
  assert.deepEqual(root.components.schemas, {
    A: {
      type: 'object',
      properties: {
        x: { $ref: '#/components/schemas/money' },
        y: { $ref: '#/components/schemas/money' },
      },
    },
    money: { type: 'object', properties: { unit: { $ref: '#/components/schemas/Unit' } } },
    Unit: { type: 'string' },
  });
  assert.equal(
    place(document, '/components/schemas/money/properties/unit'),
    'parts/money.yaml:3:3',
  );
  assert.equal(place(document, '/components/schemas/Unit/type'), 'parts/units.yaml:1:8');
});

test('a component that is nothing but a reference to a file is that file', async (t) => {
  const { root, document } = await readGood(t, {
    'api.yaml': `${head}paths:
  /a: {get: {responses: {"200": {description: ok, content: {application/json: {schema: {$ref: b.yaml}}}}}}}
components:
  schemas:
    Good: {$ref: b.yaml}
`,
    'b.yaml': 'type: string\n',
  });
  assert.deepEqual(root.components.schemas, { Good: { type: 'string' } });
  const { schema } = root.paths['/a'].get.responses['200'].content['application/json'];
  assert.deepEqual(schema, { $ref: '#/components/schemas/Good' });
  assert.equal(place(document, '/components/schemas/Good'), 'api.yaml:7:5');
  assert.equal(place(document, '/components/schemas/Good/type'), 'b.yaml:1:1');
});

test('a file that is nothing but a reference itself is read from its own folder', async (t) => {
  const { root, document } = await readGood(t, {
    'api.yaml': `${head}paths:
  /a: {$ref: parts/paths/a.yaml}
components:
  schemas:
    Unit: {$ref: parts/schemas/unit.yaml}
    Kind: {$ref: parts/schemas/kind.yaml}
`,
    'parts/paths/a.yaml': '$ref: ../items/a.yaml\n',
    'parts/items/a.yaml': 'get: {responses: {"200": {$ref: ../answers.yaml}}}\n',
    'parts/answers.yaml': 'description: ok\n',
    'parts/schemas/unit.yaml': '$ref: ../units.json\n',
    'parts/units.json': '{"type": "string", "enum": ["cm"]}',
    'parts/schemas/kind.yaml': '$ref: ../kinds.yaml#/Kind\n',
    'parts/kinds.yaml': 'Kind: {type: integer}\n',
  });
  assert.deepEqual(root.components.schemas.Unit, { $ref: '#/components/schemas/units' });
  assert.deepEqual(root.components.schemas.units, { type: 'string', enum: ['cm'] });
  assert.equal(root.components.schemas.Kind.$ref.startsWith('#/components/schemas/Kind'), true);
  assert.deepEqual(root.paths['/a'].get.responses['200'], {
    $ref: '#/components/responses/answers',
  });
  assert.equal(place(document, '/paths/~1a/get'), 'parts/items/a.yaml:1:1');
});

test('names that are taken get a number', async (t) => {
  const { root } = await readGood(t, {
    'api.yaml': `${head}components:
  schemas:
    Unit: {type: object, properties: {x: {$ref: "b.yaml#/Unit"}, y: {$ref: "c.yaml#/Unit"}}}
`,
    'b.yaml': 'Unit: {type: string}\n',
    'c.yaml': 'Unit: {type: number}\n',
  });
  assert.deepEqual(Object.keys(root.components.schemas), ['Unit', 'Unit2', 'Unit3']);
  assert.deepEqual(root.components.schemas.Unit3, { type: 'number' });
});

test('path items, operations and texts of other files are put in their place', async (t) => {
  const { root, document } = await readGood(t, {
    'api.yaml': `openapi: 3.0.3
info: {title: a, version: "1", description: {$ref: "texts.yaml#/intro"}}
paths:
  /a: {$ref: "a.yaml"}
  /b:
    get: {$ref: "a.yaml#/get"}
`,
    'a.yaml': `get:
  parameters: [{$ref: "parameters.yaml#/limit"}]
  responses: {"200": {description: ok}}
`,
    'parameters.yaml': 'limit: {name: limit, in: query, schema: {type: integer}}\n',
    'texts.yaml': 'intro: Hello\n',
  });
  assert.equal(root.info.description, 'Hello');
  assert.deepEqual(root.paths['/a'].get, root.paths['/b'].get);
  assert.deepEqual(root.paths['/a'].get.parameters, [{ $ref: '#/components/parameters/limit' }]);
  assert.equal(place(document, '/paths/~1a'), 'api.yaml:4:3');
  assert.equal(place(document, '/paths/~1a/get/parameters/0'), 'a.yaml:2:16');
});

test('a path item that refers to another one in the same document takes its operations', async (t) => {
  const { root } = await readGood(t, {
    'api.yaml': `${head}paths:
  /a: {$ref: "#/components/pathItems/Shared", summary: own}
components:
  pathItems: {Shared: {summary: shared, get: {}}}
`,
  });
  assert.deepEqual(root.paths['/a'], { summary: 'own', get: {} });
});

test('files that refer to each other and to the entry end in one document', async (t) => {
  const { root } = await readGood(t, {
    'api.yaml': `${head}components:
  schemas:
    Tree: {type: object, properties: {leaf: {$ref: "leaf.yaml"}}}
`,
    'leaf.yaml':
      'type: object\nproperties: {tree: {$ref: "api.yaml#/components/schemas/Tree"}, leaf: {$ref: "#"}}\n',
  });
  assert.deepEqual(root.components.schemas.leaf.properties, {
    tree: { $ref: '#/components/schemas/Tree' },
    leaf: { $ref: '#/components/schemas/leaf' },
  });
});

test('an absolute reference finds the file that declares the address by $id', async (t) => {
  const { root } = await readGood(t, {
    'api.yaml': `${head}components:
  schemas:
    A: {type: object, properties: {x: {$ref: "https://example.com/schemas/x.json#/$defs/y"}}}
`,
    'deep/x.json': JSON.stringify({
      $id: 'https://example.com/schemas/x.json',
      $defs: { y: { $ref: 'z.json' } },
    }),
    'deep/other/z.json': JSON.stringify({
      $id: 'https://example.com/schemas/z.json',
      type: 'string',
    }),
  });
  assert.deepEqual(root.components.schemas.y, { $ref: '#/components/schemas/z' });
  assert.deepEqual(root.components.schemas.z, { type: 'string' });
});

test('a relative reference in a file with an $id that nobody declares starts at the file', async (t) => {
  const { root } = await readGood(t, {
    'api.yaml': `${head}components: {schemas: {A: {type: object, properties: {x: {$ref: "p/x.yaml"}}}}}\n`,
    'p/x.yaml': '$id: https://example.com/x\ntype: array\nitems: {$ref: "y.yaml"}\n',
    'p/y.yaml': 'type: string\n',
  });
  assert.deepEqual(root.components.schemas.x.items, { $ref: '#/components/schemas/y' });
});

test('$self is the base of references (OpenAPI 3.2, section 4.1.2.2.1)', async (t) => {
  const { root } = await readGood(t, {
    'api.yaml': `openapi: 3.2.0
$self: https://example.com/api/openapi
info: {title: a, version: "1"}
components: {schemas: {A: {$ref: "shared"}}}
`,
    'elsewhere/s.yaml': '$id: https://example.com/api/shared\ntype: string\n',
  });
  assert.deepEqual(root.components.schemas, { A: { type: 'string' } });
});

test('anchors and pointers that pass through references are resolved', async (t) => {
  const { root } = await readGood(t, {
    'api.yaml': `${head}components:
  schemas:
    A: {$anchor: a, type: object, properties: {x: {type: string}}}
    B: {type: object, properties: {a: {$ref: "#a"}}}
    C: {type: object, properties: {x: {$ref: "#/components/schemas/B/properties/a/properties/x"}}}
`,
  });
  const { B, C } = root.components.schemas;
  assert.deepEqual(B.properties.a, { $ref: '#/components/schemas/A' });
  assert.deepEqual(C.properties.x, { $ref: '#/components/schemas/A/properties/x' });
});

test('a discriminator that maps to files maps to components', async (t) => {
  const { root } = await readGood(t, {
    'api.yaml': `${head}components:
  schemas:
    Pet:
      oneOf: [{$ref: "cat.yaml"}, {$ref: "#/components/schemas/Dog"}]
      discriminator: {propertyName: kind, mapping: {cat: cat.yaml, dog: Dog}}
    Dog: {type: object, properties: {kind: {type: string}}}
`,
    'cat.yaml': 'type: object\nproperties: {kind: {type: string}}\n',
  });
  assert.deepEqual(root.components.schemas.Pet.discriminator.mapping, {
    cat: '#/components/schemas/cat',
    dog: 'Dog',
  });
});

test('a $ref inside an example is data', async (t) => {
  const { root } = await readGood(t, {
    'api.yaml': `${head}components:
  examples: {A: {value: {$ref: "http://127.0.0.1/x"}}}
  schemas: {B: {type: object, default: {$ref: "/etc/passwd"}}}
`,
  });
  assert.deepEqual(root.components.examples.A.value, { $ref: 'http://127.0.0.1/x' });
});

test('path items that include each other end in an error', async (t) => {
  const { diagnostics } = await readFiles(t, {
    'api.yaml': `${head}paths:\n  /a: {$ref: "a.yaml"}\n`,
    'a.yaml': 'get: {callbacks: {x: {y: {$ref: "a.yaml"}}}}\n',
  });
  assert.deepEqual(
    diagnostics.map(({ code, file }) => `${code} ${file}`),
    ['SPEC008 a.yaml'],
  );
});

test('a link out of the root is not followed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const root = join(folder, 'root');
  mkdirSync(root);
  writeFileSync(join(folder, 'secret.yaml'), 'type: string\n');
  symlinkSync(join(folder, 'secret.yaml'), join(root, 'link.yaml'));
  const file = join(root, 'api.yaml');
  writeFileSync(file, `${head}components: {schemas: {A: {$ref: "link.yaml"}}}\n`);
  const { diagnostics } = await readApi({ file, root, base: root });
  assert.deepEqual(
    diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`),
    ['SPEC007 3:28'],
  );
  symlinkSync(join(folder, 'secret.yaml'), join(root, 'entry.yaml'));
  const other = await readApi({ file: join(root, 'entry.yaml'), root, base: root });
  assert.equal(other.diagnostics[0]?.code, 'SPEC001');
});

/** A description that finds a part by the part's `$id`, and one by its place; both are faulty. */
function linkedFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'real/parts'), { recursive: true });
  symlinkSync('real', join(folder, 'link'));
  const schemas = '{A: {$ref: "https://a.example/money"}, B: {$ref: parts/unit.yaml}}';
  writeFileSync(join(folder, 'real/api.yaml'), `${head}components: {schemas: ${schemas}}\n`);
  const money = '$id: https://a.example/money\ntype: money\n';
  writeFileSync(join(folder, 'real/parts/money.yaml'), money);
  writeFileSync(join(folder, 'real/parts/unit.yaml'), '{not: {$ref: money.yaml}, type: unit}\n');
  return folder;
}

async function filesOfProblems(file: string, root: string, base: string): Promise<string[]> {
  const { diagnostics } = await readApi({ file, root, base });
  return diagnostics.map(({ file, line, code }) => `${file}:${line} ${code}`);
}

test('a description under a linked folder is spelled as the folder was given, in every file', async (t) => {
  const folder = linkedFolder(t);
  const [real, link] = [join(folder, 'real'), join(folder, 'link')];
  const inside = ['parts/money.yaml:2 SPEC005', 'parts/unit.yaml:1 SPEC005'];
  assert.deepEqual(await filesOfProblems(join(link, 'api.yaml'), link, link), inside);
  assert.deepEqual(
    await filesOfProblems(join(link, 'api.yaml'), link, folder),
    inside.map((place) => `link/${place}`),
  );
  assert.deepEqual(await filesOfProblems(join(link, 'api.yaml'), real, real), inside);
  assert.deepEqual(await filesOfProblems(join(real, 'api.yaml'), link, link), inside);
});

test('a description that is a link keeps its own name, and what refers back to it is one file', async (t) => {
  const root = join(linkedFolder(t), 'real');
  symlinkSync('api.yaml', join(root, 'current.yaml'));
  const faulty =
    'components: {schemas: {C: {type: c}, D: {$ref: "api.yaml#/components/schemas/C"}}}';
  writeFileSync(join(root, 'api.yaml'), `${head}${faulty}\n`);
  const file = join(root, 'current.yaml');
  assert.deepEqual(await filesOfProblems(file, root, root), ['current.yaml:3 SPEC005']);
  const { document } = await readApi({ file, root, base: root });
  assert.deepEqual(Object.keys(document?.root.components?.['schemas'] ?? {}), ['C', 'D']);
  assert.equal(document?.file, 'current.yaml');
  const elsewhere = join(root, '../link');
  assert.deepEqual(await filesOfProblems(join(elsewhere, 'current.yaml'), root, root), [
    'current.yaml:3 SPEC005',
  ]);
});

test('a linked folder that leads out of the root is not followed', async (t) => {
  const folder = linkedFolder(t);
  const [root, elsewhere] = [join(folder, 'root'), join(folder, 'real/parts')];
  mkdirSync(root);
  symlinkSync(elsewhere, join(root, 'parts'));
  writeFileSync(
    join(root, 'api.yaml'),
    `${head}components: {schemas: {A: {$ref: parts/unit.yaml}}}\n`,
  );
  assert.deepEqual(await filesOfProblems(join(root, 'api.yaml'), root, root), [
    'api.yaml:3 SPEC007',
  ]);
  assert.deepEqual(await filesOfProblems(join(root, 'parts/unit.yaml'), root, root), [
    'parts/unit.yaml:1 SPEC001',
  ]);
});

test('properties called like members of every object are only properties', async (t) => {
  const { root, document } = await readGood(t, {
    'api.json': `{"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "components": {"schemas": {
      "__proto__": {"type": "object", "properties": {"__proto__": {"default": true}, "constructor": {}}},
      "toString": {"$ref": "#/components/schemas/__proto__"}}}}`,
  });
  assert.deepEqual(Object.keys(root.components.schemas), ['__proto__', 'toString']);
  assert.equal(({} as Record<string, unknown>)['default'], undefined);
  const schemas = document.root.components?.['schemas'];
  assert.equal(schemas && Object.getPrototypeOf(schemas), null);
});

test('an example that cannot be read costs nothing but itself', async (t) => {
  const { document, diagnostics } = await readFiles(t, {
    'api.yaml': `${head}paths:
  /a:
    post:
      requestBody:
        content:
          application/json:
            schema: {type: object}
            examples:
              far: {$ref: "https://acme.example/far.json"}
              gone: {$ref: "gone.json"}
              own: {value: {a: 1}}
      responses: {"200": {description: ok}}
`,
  });
  const told = diagnostics.map(({ code, severity }) => `${code} ${severity}`);
  assert.deepEqual(told, ['SPEC007 warning', 'SPEC006 warning']);
  assert.ok(document);
  const [operation] = new ApiOperations(document).all;
  const content = (operation?.node['requestBody'] as { content: object } | undefined)?.content;
  assert.deepEqual(JSON.parse(JSON.stringify(content)), {
    'application/json': { schema: { type: 'object' }, examples: { own: { value: { a: 1 } } } },
  });
});
