import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import type { ToolDefinition } from '#contract/tool';
import { emitProvider } from '../../generator/emit/providers/provider-files.ts';
import type { Curation } from '../../generator/model/shape/curation.ts';
import { planProvider } from '../../generator/model/vendor/plan-provider.ts';
import { curationText } from '../../generator/provider/draft/curation-text.ts';
import { draftCuration, surveyOperations } from '../../generator/provider/draft/draft-curation.ts';
import type { ApiDocument } from '../../generator/read/document/api-document.ts';
import { readApi } from '../../generator/read/read-api.ts';
import { readChecked } from '../../generator/read/text/checked-yaml.ts';
import { checkPlace } from './check-place.ts';
import { openCorpus } from './entries.ts';

const corpus = openCorpus();
const base = mkdtempSync(join(tmpdir(), 'corpus-generate-'));
const folder = 'specs/providers/corpus';
/** Milliseconds after which one description hangs. */
const timeout = 600_000;
const mostKilobytes = 1024 * 1024;
let operations = 0;

after(() => {
  corpus.close();
  rmSync(base, { recursive: true });
});

for (const entry of corpus.entries) {
  test(`every operation of ${entry.name} generates`, { timeout }, async (t) => {
    const { document } = await readApi({ ...entry, base: entry.root });
    const checked = document && draftAll(document);
    if (document === undefined || checked === undefined) return t.diagnostic('no operations');
    checked.diagnostics.forEach(checkPlace);
    assert.ok(checked.content, checked.diagnostics.map(({ message }) => message).join('\n'));
    const { model, diagnostics } = planProvider({
      folder,
      curation: checked.content,
      curationFile: checked.file,
      document,
      fixtures: [],
    });
    diagnostics.forEach(checkPlace);
    operations += model.tools.length;
    for (const { definition } of model.tools) checkDescriptions(definition);
    for (const { path, text } of emitProvider(model)) {
      if (path.endsWith('.ts')) assert.doesNotThrow(() => stripTypeScriptTypes(text), path);
    }
  });
}

test('the corpus has operations, and they fit into a gigabyte', () => {
  assert.ok(operations > 0);
  const { maxRSS } = process.resourceUsage();
  assert.ok(maxRSS < mostKilobytes, `${maxRSS} kB`);
});

/** Nothing that models read holds what people do not see; what cannot be cleaned is an error (P037). */
function checkDescriptions({ description, title, input }: ToolDefinition): void {
  const unseen =
    /[[\p{Cc}\p{Bidi_Control}\p{Variation_Selector}\u{200b}-\u{200d}\u{e0000}-\u{e007f}]--[\t\n]]/v;
  const texts = JSON.stringify([description, title, input], (key, value) =>
    typeof value === 'string' && key !== 'description' && !/^[012]$/.test(key) ? undefined : value,
  );
  for (const text of texts.match(/"(?:[^"\\]|\\.)*"/g) ?? []) {
    const read = String(JSON.parse(text));
    assert.doesNotMatch(read, unseen);
    assert.doesNotMatch(read, /<!--|<script|!\[[^\]]*\]\(|data:[\w/+.-]+;base64,\S{8}/i);
  }
}

/** Write a curation that takes every operation and read it again; nothing where there are none. */
function draftAll(document: ApiDocument) {
  const source = { id: 'corpus', document, origin: undefined, licence: undefined, texts: true };
  const survey = surveyOperations(source);
  if (survey.names.length === 0) return undefined;
  const path = join(base, folder, 'curation.yaml');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, curationText(draftCuration(source, survey, new Set(survey.names))));
  return readChecked<Curation>(path, base, 'provider-curation');
}
