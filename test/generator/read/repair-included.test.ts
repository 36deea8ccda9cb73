import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { readApi } from '../../../generator/read/read-api.ts';
import { plain } from './read-files.ts';

test('what other files contribute is repaired like the first one', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'repair-'));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (name: string, value: object) =>
    writeFileSync(join(root, name), JSON.stringify(value));
  const info = { title: 'A', version: '1' };
  const $ref = (name: string) => ({ $ref: name });
  write('thing.json', {
    get: {
      parameters: [
        { name: 'new', in: 'header', required: 'true', schema: { type: 'string', default: true } },
        $ref('limit.json'),
      ],
      responses: {
        200: {
          description: 'ok',
          content: { 'application/json': { schema: $ref('thing-schema.json') } },
        },
      },
    },
  });
  write('limit.json', { name: 'limit', in: 'query', type: 'integer' });
  write('thing-schema.json', { type: 'int', format: 'int32' });
  write('api.json', { openapi: '3.0.3', info, paths: { '/things/{id}': $ref('thing.json') } });
  const read = { file: join(root, 'api.json'), root, base: root, repairs: true };
  const { document, diagnostics } = await readApi(read);
  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  );
  const { paths, components } = plain(document ?? assert.fail());
  const { get } =
    (paths as Record<string, { get: { parameters: object[] } }>)['/things/{id}'] ?? assert.fail();
  assert.deepEqual(get.parameters, [
    { name: 'new', in: 'header', required: true, schema: { type: 'string', default: 'true' } },
    { $ref: '#/components/parameters/limit' },
    { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
  ]);
  assert.deepEqual(components, {
    parameters: { limit: { name: 'limit', in: 'query', schema: { type: 'integer' } } },
    schemas: { 'thing-schema': { type: 'integer', format: 'int32' } },
  });
});
