import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { JsonSchema } from '#contract/json';
import { signatureOf } from '../../../runtime/surfaces/code/signature.ts';
import { echo, toolOf } from '../../runtime/in-memory-tools.ts';
import { codeSurface } from './code-surface.ts';

test('a search gives names, purposes and signatures', async () => {
  const forced = toolOf({ name: 'test_import', task: 'required', description: 'Import a file' });
  const { call } = await codeSurface([echo, forced]);
  const found = await call('api_search', { query: 'echo' });
  assert.deepEqual(found.structuredContent, {
    functions: [
      {
        name: 'test_echo',
        purpose: 'The tool test_echo',
        signature:
          '(args: { /* Text to give back */ text: string; style?: "plain" | "loud"; times?: number }) => Promise<{ text: string }>',
      },
    ],
  });
  const direct = await call('api_search', { query: 'import' });
  assert.match(JSON.stringify(direct.structuredContent), /"direct":true/);
});

const object = (properties: JsonSchema, more: JsonSchema = {}) => ({
  type: 'object',
  properties,
  ...more,
});

const inputs: readonly [name: string, input: JsonSchema, args: string][] = [
  ['nothing', object({}, { additionalProperties: false }), ''],
  [
    'names that are no identifiers',
    object({ 'a-b': { type: 'string' } }),
    'args: { "a-b"?: string }',
  ],
  ['several types', object({ a: { type: ['string', 'null'] } }), 'args: { a?: string | null }'],
  [
    'a list of choices',
    object({ a: { type: 'array', items: { enum: ['x', 1] } } }),
    'args: { a?: ("x" | 1)[] }',
  ],
  [
    'alternatives',
    object({ a: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }),
    'args: { a?: string | number }',
  ],
  ['an open map', object({ a: { type: 'object' } }), 'args: { a?: Record<string, any> }'],
  ['anything', object({ a: {} }), 'args: { a?: any }'],
  [
    'comments that would end early',
    object({ a: { type: 'string', description: 'a */ b\nc' } }),
    'args: { /* a * / b c */ a?: string }',
  ],
  [
    'a type that holds itself',
    object(
      { a: { $ref: '#/$defs/node' } },
      { $defs: { node: object({ next: { $ref: '#/$defs/node' } }) } },
    ),
    'args: { a?: { next?: object } }',
  ],
  [
    'many choices',
    object({ a: { enum: Array.from({ length: 40 }, (_, index) => index) } }),
    'args: { a?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | number }',
  ],
];
suite('signatures', () => {
  for (const [name, input, args] of inputs) {
    test(name, () => {
      const { definition } = toolOf({ name: 'test_it', input });
      assert.equal(signatureOf(definition), `(${args}) => Promise<any>`);
    });
  }
});

test('a result that is long to describe is described shortly', () => {
  const names = Array.from({ length: 100 }, (_, index) => `field_${index}`);
  const wide = object(Object.fromEntries(names.map((name) => [name, { type: 'string' }])));
  const { definition } = toolOf({
    name: 'test_it',
    output: object({ items: { type: 'array', items: wide } }),
  });
  assert.equal(signatureOf(definition), '() => Promise<{ items: object[] }>');
});
