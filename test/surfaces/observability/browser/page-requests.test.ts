import assert from 'node:assert/strict';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { withoutUrlSecrets } from '../../../../runtime/edge/url-secrets.ts';
import { serveObservability } from '../observing-server.ts';

const origin = 'https://app.example';

test('what a page sends packed (RFC 9110 section 8.4.1.3) is taken, and its URLs lose their secrets', async (t) => {
  const server = await serveObservability(t, { SERVICE_TELEMETRY_ALLOWED_ORIGINS: origin });
  const minted = await server.post('/observability/telemetry/token', { claims: { origin } });
  const page = { url: `${origin}/join?invite=1&token=tok-123#access_token=acc-456&tab=2` };
  const timestamp = new Date().toISOString();
  const sent = JSON.stringify({
    meta: { app: { name: 'shop' }, page },
    logs: [{ message: `went to ${page.url}`, level: 'error', timestamp }],
  });
  const send = (coding: string, body: Uint8Array<ArrayBuffer>) =>
    fetch(`${server.address()}/observability/telemetry/collect`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'content-encoding': coding, origin },
        authorization: `Bearer ${minted.body['token']}`,
      },
      body,
    });
  const broken = new Uint8Array(Buffer.from('no gzip'));
  for (const reply of [
    await send('gzip', new Uint8Array(gzipSync(sent))),
    await send('gzip', broken),
    await send('br', broken),
    // However small it comes, it is bounded by what it unpacks to.
    await send('gzip', new Uint8Array(gzipSync(' '.repeat(4_000_000)))),
  ]) {
    assert.deepEqual([reply.status, await reply.text()], [204, '']);
    assert.equal(reply.headers.get('access-control-allow-origin'), origin);
  }
  const { body } = await server.post('/observability/query/logs', { filter: { service: 'shop' } });
  const lines = body['data'] as { attributes: Record<string, string> }[];
  assert.equal(lines.length, 1);
  const shown = `${origin}/join?invite=1&token=…#access_token=…&tab=2`;
  assert.equal(lines[0]?.attributes['url_full'], shown);
  assert.doesNotMatch(JSON.stringify(body), /tok-123|acc-456/);
});

test('a session that no log can hold is refused as what it is', async (t) => {
  const server = await serveObservability(t, { SERVICE_TELEMETRY_ALLOWED_ORIGINS: origin });
  const mint = (sub: string) =>
    server.post('/observability/telemetry/token', { claims: { origin, sub } });
  const { status, body } = await mint('a\nb');
  assert.deepEqual([status, body['error']], [400, 'invalid_request'], JSON.stringify(body));
  assert.equal((await mint('a b')).status, 200);
});

test('of a URL, what lets somebody in is left out, and all else stays', () => {
  for (const [url, left] of [
    ['/a?code=1&state=2&q=shoes', '/a?code=…&state=…&q=shoes'],
    ['/a?X-Amz-Signature=ab&X-Amz-Date=1', '/a?X-Amz-Signature=…&X-Amz-Date=1'],
    ['/a?sessionId=1;apiKey=2', '/a?sessionId=…;apiKey=…'],
    ['/a?postcode=1&author=b&monkey=c', '/a?postcode=1&author=b&monkey=c'],
    ['{"token":"x","a":"?b=1"}', '{"token":"x","a":"?b=1"}'],
  ]) {
    assert.equal(withoutUrlSecrets(url ?? ''), left);
  }
});
