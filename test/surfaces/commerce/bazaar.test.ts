import assert from 'node:assert/strict';
import test from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Operation } from '#contract/operation';
import { discoveryOf } from '../../../runtime/surfaces/commerce/x402/bazaar.ts';
import { readEcho } from '../../../runtime/surfaces/commerce/x402/extensions.ts';

const open = { access: 'public' } as const;
const tool: Operation = {
  ...{ ...open, name: 'search', description: 'Search papers' },
  input: { type: 'object', properties: { q: { type: 'string' } } },
};
const route = (method: string, path: string) => ({ ...open, name: 'r', method, path }) as Operation;

test('what is sold says how it is called, and its schema validates that (x402 v2, bazaar)', () => {
  for (const operation of [tool, route('GET', '/api/v1'), route('POST', '/orders/{id}')]) {
    const { info, schema } = discoveryOf(operation);
    const validate = new Ajv2020({ strict: true }).compile(schema);
    assert.ok(validate(info), JSON.stringify(validate.errors));
    assert.equal(validate({ input: { type: 'other' } }), false);
  }
  assert.deepEqual(discoveryOf(tool).info['input'], {
    ...{ type: 'mcp', tool: 'search', toolName: 'search', transport: 'streamable-http' },
    ...{ description: 'Search papers', inputSchema: tool.input },
  });
  assert.deepEqual(discoveryOf(route('GET', '/api/v1')).info['input'], {
    type: 'http',
    method: 'GET',
  });
  assert.equal(discoveryOf(route('GET', '/api/v1')).routeTemplate, undefined);
  assert.equal(discoveryOf(route('POST', '/orders/{id}')).routeTemplate, '/orders/:id');
});

test('a long schema does not make payments too long that repeat it', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [`member${at}`, { type: 'string' }]),
  );
  const { info } = discoveryOf({ ...tool, input: { type: 'object', properties } });
  assert.ok(JSON.stringify(info).length < 1000);
});

test('who repeats something else of it is refused (x402 v2, extension echo)', () => {
  const told = { bazaar: discoveryOf(tool) };
  assert.deepEqual(readEcho({ bazaar: told.bazaar }, told), { identifier: undefined });
  const other = { bazaar: discoveryOf({ ...tool, name: 'another' }) };
  assert.equal(readEcho(other, told), 'extension_echo_mismatch');
});
