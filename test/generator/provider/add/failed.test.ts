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

/** A description of one read, whose answer and arguments are these. */
function described(get: object, schemas: object = {}): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://things.example.com' }],
    components: { schemas },
    paths: {
      '/things': { get: { operationId: 'listThings', ...get } },
      '/parts': {
        get: {
          operationId: 'listParts',
          responses: {
            200: { description: 'ok', content: { 'application/json': { schema: {} } } },
          },
        },
      },
    },
  });
}

const signed = 'https://files.example.com/a.png?token=4fQ8sKd02Lmx91ZpTr7v';

test('an address that says who may read it stands in no example of an answer', async (t) => {
  const place = createWorkplace(t);
  const page = {
    next: `${signed}&page=2`,
    parts: [{ file: signed }, { file: 'https://a.example/b?page=2' }],
  };
  const media = { schema: { type: 'object' }, example: page };
  const responses = { 200: { description: 'ok', content: { 'application/json': media } } };
  place.write('api.json', described({ responses }));
  const { code, err } = await place.run('add', 'things', '--openapi', 'api.json');
  assert.equal(code, 0, err);
  const checked = await place.run('check', 'things');
  assert.equal(checked.code, 0, checked.err);
  const kept = place.read('specs/providers/things/openapi.yaml');
  assert.match(kept, /next: https:\/\/files\.example\.com\/a\.png\n/);
  assert.match(kept, /file: https:\/\/a\.example\/b\?page=2/);
});

test('what check refuses beside the examples stays off, too', async (t) => {
  const place = createWorkplace(t);
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } };
  const schema = { type: 'string', default: signed };
  const parameters = [{ name: 'source', in: 'query', schema }];
  place.write('api.json', described({ parameters, responses }));
  const { code, out, err } = await place.run('add', 'things', '--openapi', 'api.json');
  assert.equal(code, 0, err);
  assert.match(out, /things_list_things: P016/);
  const checked = await place.run('check', 'things');
  assert.equal(checked.code, 0, checked.err);
  assert.match(checked.out, /things: 1 tools, 0 errors/);
});
