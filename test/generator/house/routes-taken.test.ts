import assert from 'node:assert/strict';
import test from 'node:test';
import { problemsOf } from './problems.ts';

const head = "openapi: 3.1.0\ninfo: { title: X, version: '1' }\npaths:\n";

function route(path: string, id: string, method = 'get'): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameters = names.map(
    (name) => `{ name: ${name}, in: path, required: true, schema: { type: string } }`,
  );
  return `  ${path}:
    ${method}:
      operationId: ${id}
      x-access: public
      parameters: [${parameters.join(', ')}]
      responses: { '200': { description: ok } }
`;
}

test('one method and URL is served once in a surface, however its parameters are called', async (t) => {
  const text =
    head +
    route('/desk/orders/{id}', 'getOrder') +
    route('/desk/orders/{nr}', 'getByNumber') +
    route('/desk/orders/{key}', 'removeOrder', 'delete');
  assert.deepEqual(await problemsOf(t, { 'surfaces/desk/openapi.yaml': text }), [
    'specs/surfaces/desk/openapi.yaml:11:5 SURF008 GET /desk/orders/{nr} is served by this surface too, as /desk/orders/{id}',
  ]);
});

test('a parameter of a path has a name that is found in it', async (t) => {
  const parameter = '{ name: order-id, in: path, required: true, schema: { type: string } }';
  const text = (head + route('/desk/orders/{order-id}', 'getOrder')).replace(
    'parameters: []',
    `parameters: [${parameter}]`,
  );
  assert.deepEqual(await problemsOf(t, { 'surfaces/desk/openapi.yaml': text }), [
    'specs/surfaces/desk/openapi.yaml:5:5 SURF010 a parameter of a path is called by letters, digits and _, but in /desk/orders/{order-id} one is "order-id"',
  ]);
});

test('no route lies where MCP is served by itself', async (t) => {
  const config = `sections:
  - title: Server
    switches:
      - { env: MCP_PATH, type: string, default: /mcp, description: Path of the MCP endpoint }
`;
  const text =
    head +
    route('/mcp', 'getMcp') +
    route('/{anything}', 'makeAnything', 'post') +
    route('/mcp/more', 'getMore');
  const said = 'the server itself is asked at /mcp, the default of MCP_PATH in specs/config.yaml';
  assert.deepEqual(
    await problemsOf(t, { 'config.yaml': config, 'surfaces/desk/openapi.yaml': text }),
    [
      `specs/surfaces/desk/openapi.yaml:5:5 SURF008 GET /mcp: ${said}`,
      `specs/surfaces/desk/openapi.yaml:11:5 SURF008 POST /{anything}: ${said}`,
    ],
  );
});
