import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { readApi } from '../../../generator/read/read-api.ts';
import { plain } from './read-files.ts';

const named = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
const closed = { type: 'object', additionalProperties: false };

/** Read schemas, those of a second file too; gives them, and whether they were said to be closed. */
async function read(t: TestContext, description: object, schemas: object, repairs = true) {
  const base = mkdtempSync(join(tmpdir(), 'repair-'));
  t.after(() => rmSync(base, { recursive: true }));
  const write = (name: string, value: object) =>
    writeFileSync(join(base, name), JSON.stringify(value));
  write('parts.json', { Image: { allOf: [named('image')] } });
  const isOld = 'swagger' in description;
  const holder = isOld ? { definitions: schemas } : { components: { schemas } };
  const info = { title: 'A', version: '1' };
  write('api.json', { ...description, info, paths: {}, ...holder });
  const file = join(base, 'api.json');
  const { document, diagnostics } = await readApi({ file, root: base, base, repairs });
  assert.ok(document);
  const found = diagnostics.filter(({ code }) => code === 'SPEC027');
  return { schemas: plain(document).components.schemas, found };
}

for (const [version, keyword] of [
  [{ swagger: '2.0' }, 'allOf'],
  [{ openapi: '3.0.3' }, 'anyOf'],
  [{ openapi: '3.1.0' }, 'oneOf'],
] as const) {
  test(`an object that forbids what its ${keyword} names is closed over it, too`, async (t) => {
    const given = {
      Asset: { ...closed, [keyword]: [{ $ref: 'parts.json#/Image' }, named('video')] },
      Named: { ...named('name'), ...closed, [keyword]: [{ $ref: 'parts.json#/Image' }] },
    };
    const { schemas, found } = await read(t, version, given);
    for (const { additionalProperties, unevaluatedProperties } of [schemas.Asset, schemas.Named]) {
      assert.deepEqual([additionalProperties, unevaluatedProperties], [undefined, false]);
    }
    const [{ severity, message } = {}] = found;
    assert.equal(severity, 'warning');
    assert.match(message ?? '', /forbids what its own parts name.* 1 other place/);
    const strict = await read(t, version, given, false);
    assert.equal(strict.schemas.Asset.additionalProperties, false);
  });
}

test('an object whose parts name nothing that may be sent beside it stays as it is', async (t) => {
  const self = { $ref: '#/components/schemas/Self' };
  const { schemas, found } = await read(
    t,
    { openapi: '3.1.0' },
    {
      Self: {
        ...{ ...named('a'), ...closed },
        anyOf: [{ required: ['a'] }, named('a'), { properties: { b: false } }, self],
      },
      Keyed: { ...closed, anyOf: [named('b')], patternProperties: { '^x-': {} } },
      Open: { type: 'object', anyOf: [named('b')] },
    },
  );
  for (const name of ['Self', 'Keyed']) assert.equal(schemas[name].additionalProperties, false);
  for (const each of Object.values<object>(schemas)) {
    assert.equal('unevaluatedProperties' in each, false);
  }
  assert.deepEqual(found, []);
});

test('parts of an object that forbid what each other name are closed together, and alone as before', async (t) => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const shut = (name: string) => ({ ...named(name), additionalProperties: false });
  const { schemas, found } = await read(
    t,
    { openapi: '3.1.0' },
    {
      Siamese: { allOf: [ref('Cat'), shut('colour')] },
      Cat: { allOf: [ref('Pet'), shut('lives')] },
      Pet: shut('name'),
      Owner: { allOf: [ref('Pet')], properties: { name: {} } },
      Told: { allOf: [ref('Kind'), shut('lives')] },
      Kind: { ...shut('kind'), discriminator: { propertyName: 'kind' } },
    },
  );
  const { Siamese, Cat, Pet, Owner, Told } = schemas;
  assert.deepEqual(Cat, { allOf: [named('name'), named('lives')], unevaluatedProperties: false });
  assert.deepEqual(Siamese, {
    allOf: [{ allOf: [named('name'), named('lives')] }, named('colour')],
    unevaluatedProperties: false,
  });
  assert.deepEqual([Pet, Owner.allOf], [shut('name'), [ref('Pet')]]);
  assert.deepEqual(Told.allOf[0], ref('Kind'));
  assert.match(found[0]?.message ?? '', /parts forbid what each other name/);
});

test('parts that are shared from level to level do not multiply', {
  timeout: 60_000,
}, async (t) => {
  const parts = (level: number) =>
    Array.from({ length: 20 }, () => ({ $ref: `#/components/schemas/Level${level + 1}` }));
  const levels = Array.from({ length: 9 }, (_, level) => [
    `Level${level}`,
    { ...named(`p${level}`), ...(level < 8 ? { allOf: parts(level) } : closed) },
  ]);
  const { found } = await read(t, { openapi: '3.0.3' }, Object.fromEntries(levels));
  assert.equal(found.length, 1);
});

for (const [length, repaired] of [
  [100, ['First', 'Last']],
  [1500, ['First']],
] as const) {
  test(`around a chain of ${length} parts, what is closed together is ${repaired.join(' and ')}`, async (t) => {
    const shut = (name: string) => ({ ...named(name), additionalProperties: false });
    const clash = { allOf: [shut('a'), shut('b')] };
    const links = Array.from({ length }, (_, at) => [
      `S${at}`,
      { allOf: [{ $ref: `#/components/schemas/S${at + 1}` }] },
    ]);
    const chain = { ...Object.fromEntries(links), [`S${length}`]: named('end') };
    const given = { First: clash, ...chain, Last: clash };
    const { schemas } = await read(t, { openapi: '3.1.0' }, given);
    const isRepaired = (name: string) => schemas[name].unevaluatedProperties === false;
    assert.deepEqual(['First', 'Last'].filter(isRepaired), repaired);
  });
}
