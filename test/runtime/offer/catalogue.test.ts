import assert from 'node:assert/strict';
import test from 'node:test';
import { createAdmission } from '../../../runtime/admission/admission.ts';
import { Catalogue, type ToolSource, toolsInMemory } from '../../../runtime/offer/catalogue.ts';
import { Changes } from '../../../runtime/offer/changes.ts';
import { StartError } from '../../../runtime/process/start-error.ts';
import { echo, toolOf } from '../in-memory-tools.ts';

const admission = createAdmission({ callRate: 0 });

const source = (id: string, ...names: string[]): ToolSource => ({
  id,
  title: id,
  tools: toolsInMemory(names.map((name) => toolOf({ name }))),
});

test('two tools of the same name stop the start, and both owners are named', () => {
  const twice = [source('acme', 'a_list', 'a_get'), source('other', 'a_get')];
  assert.throws(() => new Catalogue(twice, admission), {
    name: 'StartError',
    message: 'acme and other both offer the tool a_get',
  });
  assert.throws(() => new Catalogue([source('acme', 'a', 'a')], admission), StartError);
});

test('a tool is loaded on first use, once', async () => {
  let loads = 0;
  const load = async () => {
    loads += 1;
    return echo;
  };
  const tools = [['test_echo', load] as const];
  const catalogue = new Catalogue([{ id: 'acme', title: 'Acme', tools }], admission);
  assert.equal(catalogue.size, 1);
  assert.equal(loads, 0);
  const first = await catalogue.find('test_echo');
  assert.equal(catalogue.find('test_echo'), first);
  await catalogue.page();
  await catalogue.loadAll();
  assert.equal(loads, 1);
});

test('what is not the name of a tool finds nothing', () => {
  const catalogue = new Catalogue([source('acme', 'a_list')], admission);
  for (const name of ['', 'A_LIST', 'constructor', '__proto__']) {
    assert.equal(catalogue.find(name), undefined);
  }
});

test('a tool that calls itself differently than its source does cannot be used', async () => {
  const tools = [['test_other', async () => echo] as const];
  const catalogue = new Catalogue([{ id: 'acme', title: 'Acme', tools }], admission);
  await assert.rejects(async () => catalogue.find('test_other'), /calls itself test_echo/);
});

test('a priced tool stops the start as long as nothing takes payments', async () => {
  const priced = toolOf({ name: 'acme_paid', price: { amount: '1', currency: 'USD' } });
  const tools = toolsInMemory([priced]);
  const catalogue = new Catalogue([{ id: 'acme', title: 'Acme', tools }], admission);
  await assert.rejects(catalogue.loadAll(), StartError);
});

test('a failed load is tried again', async () => {
  let attempts = 0;
  const load = async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('not yet');
    return echo;
  };
  const tools = [['test_echo', load] as const];
  const catalogue = new Catalogue([{ id: 'acme', title: 'Acme', tools }], admission);
  await assert.rejects(catalogue.page());
  assert.equal((await catalogue.page())?.items.length, 1);
});

test('tools in front are listed alone, the others can still be found, and more of them change no list', async () => {
  const changes = new Changes();
  const catalogue = new Catalogue([source('acme', 'a_list')], admission, changes);
  const before = await catalogue.page();
  let told = 0;
  changes.on('tools', () => {
    told += 1;
  });
  catalogue.putInFront({ ...source('search', 's_find'), instructions: () => 'Find them.' });
  assert.equal(told, 1);
  const page = await catalogue.page();
  assert.deepEqual(
    page?.items.map(({ name }) => name),
    ['s_find'],
  );
  assert.notEqual(page?.listHash, before?.listHash);
  catalogue.add(source('other', 'o_get'));
  assert.equal(told, 1);
  assert.equal(await catalogue.page(), page);
  assert.deepEqual([...catalogue.names()], ['a_list', 's_find', 'o_get']);
  assert.equal((await catalogue.find('o_get'))?.definition.name, 'o_get');
});
