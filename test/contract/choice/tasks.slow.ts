import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { searchWords } from '../../../generated/search-words.ts';
import { searchDocument } from '../../../generator/emit/providers/provider-search.ts';
import { planProviderFolder } from '../../../generator/kinds/providers.ts';
import { curationText } from '../../../generator/provider/draft/curation-text.ts';
import {
  draftCuration,
  surveyOperations,
} from '../../../generator/provider/draft/draft-curation.ts';
import { draftDescription, requestsOf } from '../../../generator/provider/draft/draft-files.ts';
import { writeProvider } from '../../../generator/provider/draft/write-provider.ts';
import { readApi } from '../../../generator/read/read-api.ts';
import { ToolIndex } from '../../../runtime/search/tool-index.ts';

const vendors = process.env['OPENAPI_VENDORS'] ?? '';
const shown = 5;

/** The tasks of each description, each with the operations that do it. */
function tasksByFile(list: string) {
  const text = readFileSync(join(import.meta.dirname, list), 'utf8');
  const rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const tasks = rows.map((row) => {
    const [file = '', task = '', ...routes] = row.split('\t');
    return { file, task, routes };
  });
  return Map.groupBy(tasks, ({ file }) => file);
}

/** Most descriptions have tasks in several lists: what is drafted of each. */
const drafted = new Map<string, ReturnType<typeof draftTools>>();

function draftedTools(file: string, base: string) {
  const tools = drafted.get(file) ?? draftTools(file, base);
  drafted.set(file, tools);
  return tools;
}

/** Every operation of a description as a tool: what a search reads of it, and where it calls. */
async function draftTools(file: string, base: string) {
  const root = join(vendors, file.split('/', 1)[0] ?? '');
  const read = await readApi({ file: join(vendors, file), root, base: root });
  assert.ok(read.document, file);
  const { document, diagnostics } = read;
  const source = { id: 'vendor', document, diagnostics, origin: undefined, licence: 'MIT' };
  const survey = surveyOperations({ ...source, texts: true });
  const draft = draftCuration({ ...source, texts: true }, survey, new Set(survey.names));
  rmSync(join(base, 'specs'), { recursive: true, force: true });
  writeProvider(base, 'vendor', [
    { name: 'curation.yaml', text: curationText(draft), keep: false },
    draftDescription(document, requestsOf(draft), true),
  ]);
  const { model } = await planProviderFolder(base, 'vendor');
  assert.ok(model, file);
  const { id: provider, title: providerTitle } = model.settings;
  const routes = new Map(
    model.tools.map(({ definition, origin }) => [
      definition.name,
      `${origin.method} ${origin.path}`,
    ]),
  );
  const documents = model.tools.map((tool) => ({
    ...searchDocument(tool),
    provider,
    providerTitle,
  }));
  return { provider, routes, index: await ToolIndex.of(documents, searchWords) };
}

/** How many tasks there are, and which share of them finds its operation first, and at all. */
const lists = [
  { list: 'tasks.tsv', least: 100, first: 0.78, found: 0.94 },
  { list: 'later-tasks.tsv', least: 100, first: 0.67, found: 0.87 },
  { list: 'held-out-tasks.tsv', least: 100, first: 0.56, found: 0.77 },
  { list: 'usual-tasks.tsv', least: 220, first: 0.75, found: 0.9 },
];

for (const { list, least, first, found } of lists) {
  test(`a search among all tools of a vendor finds the one for what users ask (${list})`, {
    skip: !existsSync(vendors) && 'OPENAPI_VENDORS names no folder',
  }, async (t) => {
    const base = mkdtempSync(join(tmpdir(), 'tasks-'));
    t.after(() => rmSync(base, { recursive: true, force: true }));
    const places: number[] = [];
    const lines: string[] = [];
    for (const [file, tasks] of tasksByFile(list)) {
      const { provider, routes: routeOf, index } = await draftedTools(file, base);
      for (const { task, routes } of tasks) {
        const tools = index.search(task, shown, { provider }).map(({ tool }) => tool);
        const place = tools.findIndex((tool) => routes.includes(routeOf.get(tool) ?? ''));
        places.push(place);
        if (place !== 0) lines.push(`${file}: ${task}: ${tools.join(' ')}`);
      }
    }
    assert.ok(places.length >= least);
    const share = (isRight: (place: number) => boolean) =>
      places.filter(isRight).length / places.length;
    assert.ok(share((place) => place === 0) >= first, lines.join('\n'));
    assert.ok(share((place) => place >= 0) >= found, lines.join('\n'));
  });
}
