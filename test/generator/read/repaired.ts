import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ApiOperations } from '../../../generator/model/schema/api-operations.ts';
import { readApi } from '../../../generator/read/read-api.ts';
import { plain } from './read-files.ts';

/** Read a description as `provider add` does; gives the document, and what is said of it. */
export async function repaired(t: TestContext, description: object) {
  const root = mkdtempSync(join(tmpdir(), 'repair-'));
  t.after(() => rmSync(root, { recursive: true }));
  const file = join(root, 'api.json');
  writeFileSync(file, JSON.stringify({ info: { title: 'A', version: '1' }, ...description }));
  const { document, diagnostics } = await readApi({ file, root, base: root, repairs: true });
  assert.ok(document);
  const strict = await readApi({ file, root, base: root });
  const errors = (found: typeof diagnostics) =>
    found.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  return {
    root: plain(document),
    routes: new ApiOperations(document).all.map(({ method, path }) => `${method} ${path}`),
    errors: errors(diagnostics),
    strictErrors: errors(strict.diagnostics),
  };
}

export const responses = { 200: { description: 'ok' } };
export const inPath = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
});
