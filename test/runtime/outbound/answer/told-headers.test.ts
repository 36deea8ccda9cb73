import assert from 'node:assert/strict';
import test from 'node:test';
import { caller } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

const key = 'dev.agent-tool-server/response-headers';

test('headers that a tool names come with the result, without the credential', async (t) => {
  const upstream = await startUpstream(t, (response) => {
    response.setHeader('ETag', '"v1"');
    response.setHeader('X-Echo', 'tok_1234567890ab');
    response.setHeader('Location', '/things/7?token=x');
    response.setHeader('X-Other', 'no');
    sendJson(response, { id: 7 });
  });
  const { call } = caller(t, upstream.url, {
    tool: { response: { headers: ['etag', 'location', 'x-echo', 'x-absent'] } },
    provider: { auth: [{ type: 'bearer', env: ['ACME_TOKEN'], required: true }] },
    options: { env: { ACME_TOKEN: 'tok_1234567890ab' } },
  });
  const { structuredContent, content, _meta } = await call();
  const told = _meta?.[key] as Record<string, string>;
  assert.deepEqual(Object.keys(told), ['etag', 'location', 'x-echo']);
  assert.equal(told['etag'], '"v1"');
  assert.equal(told['location'], `${upstream.url}/things/7?token=x`);
  assert.doesNotMatch(JSON.stringify([structuredContent, content, _meta]), /tok_1234567890ab/);
  assert.deepEqual(structuredContent, { response_headers: told, id: 7 });
  assert.equal(
    content[1]?.type === 'text' && content[1].text,
    JSON.stringify({ response_headers: told }),
  );
});

test('a member of the vendor that is called like the headers stays', async (t) => {
  const upstream = await startUpstream(t, (response) => {
    response.setHeader('ETag', '"v1"');
    sendJson(response, { response_headers: 'own' });
  });
  const { call } = caller(t, upstream.url, { tool: { response: { headers: ['etag'] } } });
  const { structuredContent, _meta } = await call();
  assert.deepEqual(structuredContent, { response_headers: 'own' });
  assert.deepEqual(_meta?.[key], { etag: '"v1"' });
});

test('an answer without the headers is as it would be without them', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, { id: 7 }));
  const { call } = caller(t, upstream.url, { tool: { response: { headers: ['etag'] } } });
  const { structuredContent, content } = await call();
  assert.deepEqual(structuredContent, { id: 7 });
  assert.equal(content.length, 1);
});
