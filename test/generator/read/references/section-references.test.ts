import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { readApi } from '../../../../generator/read/read-api.ts';

test('a section in a file of its own is read from there, and what it calls so can be demanded', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'sections-'));
  t.after(() => rmSync(root, { recursive: true }));
  const api = {
    openapi: '3.1.0',
    info: { title: 'Beds', version: '1' },
    paths: { $ref: './paths.json' },
    components: { securitySchemes: { $ref: './schemes.json' } },
  };
  const get = { security: [{ key: [] }], responses: { 200: { description: 'Done' } } };
  const key = { type: 'apiKey', in: 'header', name: 'X-Key' };
  const files = { 'api.json': api, 'paths.json': { '/beds': { get } }, 'schemes.json': { key } };
  for (const [name, value] of Object.entries(files)) {
    writeFileSync(join(root, name), JSON.stringify(value));
  }
  const file = join(root, 'api.json');
  const { document, diagnostics } = await readApi({ file, root, base: root, repairs: true });
  assert.deepEqual(
    diagnostics.map(({ message }) => message),
    ['paths', 'securitySchemes'].map(
      (each) => `all of "${each}" stands in another file; it is read from there`,
    ),
  );
  const { paths, components } = JSON.parse(JSON.stringify(document?.root));
  assert.deepEqual(paths['/beds'].get.security, [{ key: [] }]);
  assert.deepEqual(components.securitySchemes.key, key);
});
