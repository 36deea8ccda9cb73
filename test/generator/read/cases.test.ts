import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { formatDiagnostics } from '../../../generator/diagnostics/format-diagnostics.ts';
import { readApi } from '../../../generator/read/read-api.ts';

/** Each folder holds one description and, in `expected.txt`, what is said about it. */
const cases = join(import.meta.dirname, 'cases');

for (const name of readdirSync(cases)) {
  test(`diagnostics: ${name}`, async (t) => {
    const folder = join(cases, name);
    const overlay = join(folder, 'overlay.yaml');
    const { diagnostics } = await readApi({
      file: join(folder, 'openapi.yaml'),
      root: folder,
      base: folder,
      ...(existsSync(overlay) && { overlay }),
    });
    const text = formatDiagnostics(diagnostics, 'text');
    t.assert.fileSnapshot(text, join(folder, 'expected.txt'), { serializers: [String] });
  });
}
