import assert from 'node:assert/strict';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { walk } from '../../../generator/read/document/walk.ts';
import { openapi32 } from '../../../generator/read/grammar/openapi-32.ts';
import { readApi } from '../../../generator/read/read-api.ts';
import { lookUp, parsePointer } from '../../../generator/read/text/json-pointer.ts';
import { parseYaml } from '../../../generator/read/text/yaml-text.ts';

type Node = Record<string, unknown>;

const rich = join(import.meta.dirname, 'rich');

/** What is put in the place of what stands in a good description. */
const wrongValues: readonly unknown[] = [
  null,
  5,
  'text',
  'constructor',
  [],
  {},
  { constructor: { type: 'x' }, toString: 5 },
  [{}],
  { $ref: '#' },
  { $ref: '#/nope' },
  { $ref: '#/components/schemas/Thing' },
  { $ref: '#/definitions/Thing' },
  { $ref: '#/paths/~1things~1{id}' },
  { $ref: 'other.json' },
];

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'robust-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Every place of a document, as the map or list that holds it and the key. */
function placesOf(node: Node): [Node, string][] {
  return Object.entries(node).flatMap(([key, value]) => {
    const inner = typeof value === 'object' && value !== null ? placesOf(value as Node) : [];
    return [[node, key] as [Node, string], ...inner];
  });
}

for (const name of readdirSync(rich)) {
  test(`${name}: whatever is wrong with it, it is read to a sound document`, async (t) => {
    const root = folderOf(t);
    const file = join(root, 'api.json');
    writeFileSync(join(root, 'other.json'), '{"type": "object", "get": {}, "x": {"$ref": "#"}}');
    const doc: Node = JSON.parse(
      JSON.stringify(parseYaml(readFileSync(join(rich, name), 'utf8')).value),
    );
    // One change at each place, a different one from place to place; and a map without a word of text.
    for (const [index, [node, key]] of placesOf(doc).entries()) {
      const before = node[key];
      for (const wrong of [wrongValues[index % wrongValues.length], {}]) {
        node[key] = wrong;
        writeFileSync(file, JSON.stringify(doc));
        const { document, diagnostics } = await readApi({ file, root, base: root, repairs: true });
        assert.ok(document !== undefined || diagnostics.length > 0);
        if (document !== undefined) checkReferences(document.root);
      }
      node[key] = before;
    }
  });
}

function checkReferences(root: Node): void {
  walk(openapi32, root, {
    reference(node) {
      assert.ok(node.$ref.startsWith('#/'), node.$ref);
      assert.notEqual(lookUp(root, parsePointer(node.$ref.slice(1))), undefined, node.$ref);
      return node;
    },
  });
}

async function problemsOf(file: string, root: string): Promise<string[]> {
  const { diagnostics } = await readApi({ file, root, base: root });
  return diagnostics.map(
    ({ code, line, column, message }) => `${code} ${line}:${column} ${message}`,
  );
}

test('files that are missing, too large, outside of the root or no files are not read', async (t) => {
  const root = folderOf(t);
  const large = join(root, 'large.json');
  writeFileSync(large, '{}');
  truncateSync(large, 64 * 1024 * 1024 + 1);
  const cannot = 'SPEC001 1:1 cannot read the file:';
  assert.deepEqual(await problemsOf(join(root, 'none.yaml'), root), [
    `${cannot} it does not exist`,
  ]);
  assert.deepEqual(await problemsOf(large, root), [
    `${cannot} it has 67108865 bytes, more than the limit of 67108864`,
  ]);
  assert.deepEqual(await problemsOf(join(root, '..', 'x.yaml'), root), [
    `${cannot} it lies outside of the spec root`,
  ]);
  assert.deepEqual(await problemsOf(root, root), [`${cannot} it is not a regular file`]);
  assert.deepEqual(await problemsOf(join(root, 'none', 'x.yaml'), join(root, 'none')), [
    `${cannot} it does not exist`,
  ]);
});

test('files that include each other to no end of depth are refused', async (t) => {
  const root = folderOf(t);
  for (let level = 0; level < 300; level++) {
    const inner = { type: 'object', properties: { $ref: `${level + 1}.json` } };
    writeFileSync(join(root, `${level}.json`), JSON.stringify({ a: inner }));
  }
  const file = join(root, 'api.json');
  const info = { title: 'a', version: '1' };
  const schemas = { A: { type: 'object', properties: { $ref: '0.json' } } };
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info, components: { schemas } }));
  const problems = await problemsOf(file, root);
  assert.equal(problems.length, 1);
  assert.match(problems[0] ?? '', /^SPEC003 1:37 too much is included by \$ref/);
});
