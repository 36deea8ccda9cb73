import assert from 'node:assert/strict';
import test from 'node:test';
import { isAcceptedAsWritten } from '../../../../generator/read/official/accepted-as-written.ts';
import { parseYaml } from '../../../../generator/read/text/yaml-text.ts';
import { type Node, read, refusedByOther } from './changed-descriptions.ts';

for (const version of ['3.0.3', '3.1.0']) {
  test(`the other reader accepts every eleventh changed description of ${version} of which that is said`, async () => {
    const { accepted, wrongly } = await refusedByOther(read(version), 11);
    assert.deepEqual(wrongly, []);
    assert.ok(accepted > 10, `${accepted} accepted`);
  });
}

test('what another reader may take otherwise is left to it', () => {
  const withSchema = (schema: Node, version = '3.0.3'): Node => {
    const doc = read(version);
    const { schemas } = doc['components'] as { schemas: Node };
    return { ...doc, components: { schemas: { ...schemas, More: schema } } };
  };
  const deep = (levels: number): Node =>
    Array.from({ length: levels }).reduce<Node>((inner) => ({ items: inner, type: 'array' }), {});
  const rows: readonly (readonly [string, Node, boolean])[] = [
    [
      'a part of itself',
      withSchema({ properties: { a: { $ref: '#/components/schemas/More' } } }),
      true,
    ],
    ['another file', withSchema({ items: { $ref: 'more.yaml' }, type: 'array' }), false],
    ['a loop', withSchema({ $ref: '#/components/schemas/More' }), false],
    ['an address', withSchema({ $id: 'https://example.com/more' }, '3.1.0'), false],
    [
      'a property called as a dialect',
      withSchema({ properties: { $schema: Object.create(null) } }),
      true,
    ],
    ['deep', withSchema(deep(260)), false],
    ['less deep', withSchema(deep(100)), true],
    ['a later version', { ...read('3.0.3'), openapi: '3.2.0' }, false],
    ['a number as version', { ...read('3.0.3'), info: { title: 't', version: 1 } }, false],
    ['no paths', { openapi: '3.1.0', info: { title: 't', version: '1' }, webhooks: {} }, false],
  ];
  for (const [name, doc, expected] of rows) {
    const { paths, ...rest } = doc;
    const parameterless = { ...rest, ...(paths !== undefined && { paths: {} }) };
    assert.equal(isAcceptedAsWritten(parameterless), expected, name);
  }
});

test('items that must differ may hold lists of objects as they are read', () => {
  const { value } = parseYaml(`openapi: 3.0.3
info: {title: Things, version: "1"}
tags: [{x-parts: [{is: a}], name: a}, {x-parts: [{is: a}], name: b}]
paths: {}
`);
  assert.equal(isAcceptedAsWritten(value as Node), true);
});
