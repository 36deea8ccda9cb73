import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { createWorkplace } from '../../generator/provider/workplace.ts';
import { draftAll } from './draft-all.ts';

const answer = { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } };
const place = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

for (const [what, ids] of [
  ['named by their paths', {}],
  ['named by their ids', { list: 'listParts', get: 'getPart', add: 'addPart' }],
] as const) {
  test(`what is wrong with a whole path takes its operations out, ${what}`, async (t) => {
    const { base } = createWorkplace(t);
    const operation = (operationId: string | undefined) => ({ operationId, responses: answer });
    const own = ids as Partial<Record<string, string>>;
    const description = {
      openapi: '3.1.0',
      info: { title: 'Parts', version: '1' },
      servers: [{ url: 'https://parts.example.com' }],
      paths: {
        '/parts': { get: operation(own['list']) },
        '/parts/{id}/places/{id}': {
          parameters: [place],
          get: operation(own['get']),
          post: operation(own['add']),
        },
      },
    };
    const file = join(base, 'api.json');
    writeFileSync(file, JSON.stringify(description));
    const drafted = await draftAll({ id: 'parts', name: 'parts', file, root: base }, base, {
      patience: 30,
    });
    assert.ok('model' in drafted, 'reason' in drafted ? drafted.reason : '');
    assert.equal(drafted.model.tools.length, 1);
    assert.ok(drafted.off.every(({ code }) => code === 'SPEC010'));
  });
}
