import assert from 'node:assert/strict';
import test from 'node:test';
import { createAdmission } from '../../../runtime/admission/admission.ts';
import { Catalogue, type ToolSource, toolsInMemory } from '../../../runtime/offer/catalogue.ts';
import { ToolSearch } from '../../../runtime/search/tool-search.ts';
import { toolOf } from '../in-memory-tools.ts';

const source = (id: string, ...names: string[]): ToolSource => ({
  id,
  title: id,
  tools: toolsInMemory(names.map((name) => toolOf({ name }))),
});

function catalogueOf(...sources: ToolSource[]): Catalogue {
  return new Catalogue(sources, createAdmission({ callRate: 0 }));
}

async function found(search: ToolSearch, question: string): Promise<readonly string[]> {
  return (await search.search(question, { limit: 5 })).map(({ tool }) => tool);
}

test('tools that are added later are found', async () => {
  const catalogue = catalogueOf(source('acme', 'acme_note_list'));
  const search = new ToolSearch(catalogue);
  assert.deepEqual(await found(search, 'invoice'), []);
  catalogue.add(source('zeta', 'zeta_invoice_get'));
  assert.deepEqual(await found(search, 'invoice'), ['zeta_invoice_get']);
});

test('prepared documents are read in place of the tools', async () => {
  const load = async () => assert.fail('the tool was loaded');
  const document = { tool: 'acme_thing', title: 'Thing', text: 'Find a thing', parameters: '' };
  const search = new ToolSearch(
    catalogueOf({
      id: 'acme',
      title: 'Acme',
      tools: [['acme_thing', load]],
      documents: async () => [document],
    }),
  );
  assert.deepEqual(await found(search, 'thing'), ['acme_thing']);
  assert.deepEqual(await search.documents(), [
    { ...document, provider: 'acme', providerTitle: 'Acme' },
  ]);
});

test('a source that fails once is read again', async () => {
  const documents = [
    async () => {
      throw new Error('the disk is away');
    },
    async () => [{ tool: 'acme_thing', title: '', text: '', parameters: '' }],
  ];
  const acme = {
    ...source('acme', 'acme_thing'),
    documents: async () => (await documents.shift()?.()) ?? [],
  };
  const search = new ToolSearch(catalogueOf(acme));
  await assert.rejects(found(search, 'thing'), /the disk is away/);
  assert.deepEqual(await found(search, 'thing'), ['acme_thing']);
});

test('words of arguments are found where no document was prepared', async () => {
  const properties = { colour: { type: 'string', description: 'Shade of the paint' } };
  const tool = toolOf({ name: 'acme_paint', input: { type: 'object', properties } });
  const search = new ToolSearch(catalogueOf({ ...source('acme'), tools: toolsInMemory([tool]) }));
  assert.deepEqual(await found(search, 'shade'), ['acme_paint']);
  assert.deepEqual(await found(search, 'colour'), ['acme_paint']);
});

test('names in another order and names with slips are recognised, others are not', async () => {
  const search = new ToolSearch(
    catalogueOf(source('acme', 'acme_notes_create', 'acme_deals_list')),
  );
  assert.equal((await search.suggest('acme_create_note'))[0], 'acme_notes_create');
  assert.ok((await search.suggest('acme_deels_list')).includes('acme_deals_list'));
  assert.deepEqual(await search.suggest('xyzzy'), []);
});
