import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ApiDocument, ReadResult } from '../../../generator/read/document/api-document.ts';
import { readApi } from '../../../generator/read/read-api.ts';

/** Write files to a new folder and read the first of them; `overlay.yaml` is applied when given. */
export async function readFiles(
  t: TestContext,
  files: Readonly<Record<string, string>>,
): Promise<ReadResult> {
  const root = mkdtempSync(join(tmpdir(), 'read-files-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const [first = ''] = Object.keys(files);
  const overlay = files['overlay.yaml'] === undefined ? undefined : join(root, 'overlay.yaml');
  const options = { file: join(root, first), root, base: root };
  return readApi(overlay === undefined ? options : { ...options, overlay });
}

/** Read files that have nothing wrong with them; gives the document as plain JSON beside it. */
export async function readGood(t: TestContext, files: Readonly<Record<string, string>>) {
  const { document, diagnostics } = await readFiles(t, files);
  t.assert.deepStrictEqual(diagnostics, []);
  if (document === undefined) throw new Error('there is no document');
  return { document, root: plain(document) };
}

/** The document as plain JSON, for comparisons. */
export function plain(document: ApiDocument): Json {
  return JSON.parse(JSON.stringify(document.root));
}

/** Where something stands, in short. */
export function place(document: ApiDocument, pointer: string): string {
  const { file, line, column } = document.locate(pointer);
  return `${file}:${line}:${column}`;
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into documents whose shape they know
type Json = any;
