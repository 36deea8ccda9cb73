import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorkplace } from '../workplace.ts';

test('what has an error when it is tried out stays off, and its mark and the log say why', async (t) => {
  const place = createWorkplace(t);
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const responses = { 200: { description: 'ok', ...json({ type: 'array', items: {} }) } };
  // Nothing of these lengths is of exactly one of both.
  const one = (rule: object) => ({
    type: 'object',
    properties: { a: { type: 'string', minLength: 2, ...rule } },
    required: ['a'],
  });
  const choice = { oneOf: [one({ maxLength: 9 }), one({ maxLength: 20, pattern: '.' })] };
  const schema = { type: 'object', properties: { choice }, required: ['choice'] };
  const description = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://things.example.com' }],
    paths: {
      '/things': {
        get: { operationId: 'listThings', responses },
        post: { operationId: 'createThing', requestBody: json(schema), responses },
      },
    },
  };
  place.write('api.json', JSON.stringify(description));
  const { code, out } = await place.run('add', 'things', '--openapi', 'api.json');
  assert.equal(code, 0);
  const curation = place.read('specs/providers/things/curation.yaml');
  assert.match(
    curation,
    / # - name: things_create_thing # review: it has an error, and stays off: P026 .*oneOf at \/arg/,
  );
  assert.match(out, /Not switched on, because 1 operation has an error.*\n {2}P026 things_create/);
  const checked = await place.run('check', 'things');
  assert.equal(checked.code, 0, checked.err);
});
