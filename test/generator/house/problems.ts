import type { TestContext } from 'node:test';
import { generate } from '../../../generator/pipeline/pipeline.ts';
import { put, specsFolder } from '../small-specs.ts';

/** What a run says of these files under `specs/`, one line for each error. */
export async function problemsOf(
  t: TestContext,
  files: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const base = specsFolder(t);
  for (const [path, text] of Object.entries(files)) put(base, `specs/${path}`, text);
  const { diagnostics } = await generate({ base });
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, file, line, column, message }) => `${file}:${line}:${column} ${code} ${message}`);
}
