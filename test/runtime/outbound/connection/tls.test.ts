import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { caller } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

// A key pair for loopback that protects nothing.
const pem = readFileSync(new URL('loopback.pem', import.meta.url), 'utf8');

async function startSecure(t: TestContext, location?: string): Promise<string> {
  const server = createServer({ key: pem, cert: pem }, (_, response) =>
    location === undefined
      ? sendJson(response, { secure: true })
      : response.writeHead(302, { location }).end(),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

function trustTestKey(t: TestContext): void {
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, pem.slice(pem.indexOf('-----BEGIN CERTIFICATE'))]);
  t.after(() => setDefaultCACertificates(trusted));
}

test('a certificate that nobody vouches for is refused', async (t) => {
  const error = await caller(t, await startSecure(t)).failure();
  assert.equal(error.code, 'upstream_error');
  assert.match(error.message, /certificate cannot be trusted/);
  assert.equal(error.detail.retryable, false);
});

test('a certificate for another name is refused', async (t) => {
  trustTestKey(t);
  const url = (await startSecure(t)).replace('localhost', '127.0.0.2');
  assert.equal((await caller(t, url).failure()).code, 'upstream_error');
});

test('a certificate that is trusted is accepted', async (t) => {
  trustTestKey(t);
  assert.deepEqual(await caller(t, await startSecure(t)).data(), { secure: true });
});

test('a redirection from https to http is not followed', async (t) => {
  trustTestKey(t);
  const plain = await startUpstream(t, (response) => sendJson(response, {}));
  const secure = await startSecure(t, plain.url);
  const servers = [
    { id: 'api', url: secure },
    { id: 'plain', url: plain.url },
  ] as const;
  const error = await caller(t, secure, { provider: { servers } }).failure();
  assert.match(error.message, /unencrypted/);
  assert.equal(plain.seen.length, 0);
});
