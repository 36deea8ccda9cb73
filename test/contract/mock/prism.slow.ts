import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { readWholeDocument } from './document/whole-document.ts';
import { startPrism } from './prism.ts';

const name = { type: 'string', nullable: true };
const names = Array.from({ length: 14 }, (_, index) => `S${index}`);
/** Schemas that all refer to each other: written out, there would be more than anybody reads. */
const schemas = Object.fromEntries(
  names.map((own) => [
    own,
    {
      type: 'object',
      properties: {
        name,
        ...Object.fromEntries(
          names.map((other) => [other, { $ref: `#/components/schemas/${other}` }]),
        ),
      },
    },
  ]),
);
const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } };
const root = {
  openapi: '3.0.3',
  info: { title: 'Cluster', version: '1' },
  paths: { '/s': { post: { requestBody: { content }, responses: { 204: { description: '' } } } } },
  components: { schemas },
};

function written(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'prism-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'x.json');
  writeFileSync(file, JSON.stringify(root));
  const document = readWholeDocument(file);
  t.after(() => document.close());
  return document;
}

test('a document whose references cannot be written out is judged with its references', async (t) => {
  const mock = await startPrism(written(t));
  t.after(() => mock.stop());
  const post = async (body: object) => {
    const headers = { 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${mock.url}/s`, sent)).status;
  };
  assert.equal(await post({ name: null, S1: { S2: { name: 'b' } } }), 204);
  assert.equal(await post({ S1: { S2: { name: 1 } } }), 422);
});

test('a mock that does not listen in time is ended', async (t) => {
  await assert.rejects(startPrism(written(t), 1), /^Error: set aside: the mock does not listen/);
});
