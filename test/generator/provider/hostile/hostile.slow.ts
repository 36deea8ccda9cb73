import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorkplace } from '../workplace.ts';
import { curation, described } from './described-things.ts';

test('50,000 tags cost no more than reading them', async (t) => {
  const place = createWorkplace(t);
  const text = JSON.parse(described({}));
  text.tags = Array.from({ length: 50_000 }, (_, at) => ({
    name: `t${at}`,
    description: 'Things',
  }));
  place.write('things.json', JSON.stringify(text));
  const { code, out, err } = await place.run('add', 'acme', '--openapi', 'things.json');
  assert.equal(code, 0, err);
  assert.match(out, /^swagger-parser was not asked: it takes too long/m);
});

for (const [what, linked, isLeftOpen] of [
  ['references', (next: object) => next, false],
  ['parts', (next: object) => ({ allOf: [next] }), true],
  ['members', (next: object) => ({ type: 'object', properties: { next } }), true],
] as const) {
  test(`a chain of 20,000 schemas by their ${what} costs no more than its operation`, async (t) => {
    const place = createWorkplace(t);
    const length = 20_000;
    const next = (index: number) => ({ $ref: `#/components/schemas/S${index}` });
    const schemas = Object.fromEntries(
      Array.from({ length }, (_, index) => [`S${index}`, linked(next(index + 1))]),
    );
    const content = { content: { 'application/json': { schema: next(0) } } };
    const created = { responses: { 200: { description: 'ok', ...content } } };
    const paths = { '/all': { post: { operationId: 'make', requestBody: content, ...created } } };
    const text = JSON.parse(described(paths));
    text.components = { schemas: { ...schemas, [`S${length}`]: { type: 'object' } } };
    place.write('things.json', JSON.stringify(text));
    const { code, out, err } = await place.run('add', 'acme', '--openapi', 'things.json');
    assert.equal(code, 0, err);
    assert.match(out, isLeftOpen ? /1 of 2 operations/ : /2 of 2 operations/);
    assert.match(place.read(curation), /^ {2}- name: acme_list_things\b/m);
    assert.equal((await place.run('check', 'acme')).code, 0);
  });
}
