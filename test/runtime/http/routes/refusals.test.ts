import assert from 'node:assert/strict';
import test from 'node:test';
import { mirror, routeOf, serveRoutes } from './serve-routes.ts';

const json = { 'content-type': 'application/json' };

const brokenBodies: readonly [body: string, detail: RegExp][] = [
  ['{"item":', /must be JSON, but it ends too early, after 8 characters/],
  ['', /must be JSON, but it is empty/],
  ['{"a":"s3cret",}', /must be JSON, but it is wrong after 14 characters/],
  ['s3cret', /must be JSON, but it is something else/],
  ['{"a":"s3cret","__proto__":{}}', /members that change prototypes.*"__proto__"/],
  ['{"a":"s3cret","constructor":{"prototype":{}}}', /members that change prototypes/],
];
for (const [body, detail] of brokenBodies) {
  test(`what is wrong with the body ${JSON.stringify(body)} is told without repeating it`, async (t) => {
    const input = { type: 'object', properties: { body: {} } };
    const route = routeOf({ body: { 'application/json': 'json' }, input });
    const { send } = await serveRoutes(t, [[route, mirror]]);
    const answer = await send({ headers: json, body });
    assert.equal(answer.status, 400);
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
    assert.equal(answer.json.code, 'invalid_arguments');
    assert.match(answer.json.detail, detail);
    assert.doesNotMatch(answer.text, /s3cret/);
  });
}

test('a path that is not percent-encoded is told with a code (RFC 9457)', async (t) => {
  const { send } = await serveRoutes(t, [[routeOf({}), mirror]]);
  for (const path of ['/%zz', '/act%', '/%ff']) {
    const answer = await send({ path });
    assert.equal(answer.status, 400);
    assert.equal(answer.json.code, 'invalid_request');
    assert.match(answer.json.detail, /percent-encoded UTF-8/);
  }
});
