import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import test, { type TestContext } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { shared } from '../../common-server.ts';
import { post, postForm } from '../agent.ts';
import { replicas, serveIdentity } from '../served-identity.ts';
import { startStranger } from '../strangers.ts';

const redirect = 'https://client.example/callback';
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const insecure = { SERVICE_AUTH: 'required', SERVICE_ALLOW_INSECURE_FETCH: '1' };
const json = { 'content-type': 'application/json' };

const serve = shared(serveIdentity);

async function start(t: TestContext, env: Readonly<Record<string, string>> = insecure) {
  const stranger = await startStranger(t);
  const server = await serve(env);
  // What the tests before have used of the limits of an hour is over.
  server.advance(3_600_000);
  const about = (more: object) => ({
    ...{ client_name: 'Far client', redirect_uris: [redirect] },
    ...{ token_endpoint_auth_method: 'private_key_jwt', ...more },
  });
  return {
    ...{ ...server, stranger },
    about,
    /** A client that registers itself and says where its keys are. */
    async register(jwks_uri: string): Promise<string> {
      const told = await post(`${server.base}/oauth2/register`, about({ jwks_uri }));
      assert.equal(told.status, 201, told.text);
      assert.equal(told.json.jwks_uri, jwks_uri);
      return told.json.client_id;
    },
    /** What the server answers to a client that pushes a request and proves itself. */
    async prove(client: string, key: Key): Promise<number> {
      const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
      const told = await postForm(`${server.base}/oauth2/par`, {
        ...{ response_type: 'code', client_id: client, redirect_uri: redirect },
        ...{ code_challenge: challenge, code_challenge_method: 'S256' },
        ...{ client_assertion_type: assertionType },
        client_assertion: await key.sign(client, server.base),
      });
      if (told.status !== 201) assert.equal(told.json.error, 'invalid_client', told.text);
      return told.status;
    },
  };
}

/** A key of a client, whose public half is published. */
async function makeKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' },
    sign: (client: string, aud: string) =>
      new SignJWT({ iss: client, sub: client, aud, jti: randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'client-authentication+jwt' })
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + 120)
        .sign(privateKey),
  };
}

type Key = Awaited<ReturnType<typeof makeKey>>;

test('a client proves itself with keys that it publishes, and changes them (RFC 7591 section 2)', async (t) => {
  const { stranger, register, prove, advance } = await start(t);
  const [first, second] = [await makeKey('first'), await makeKey('second')];
  const client = await register(`${stranger.url}/keys`);
  stranger.documents.set('/keys', { keys: [first.jwk] });
  for (let count = 0; count < 4; count++) assert.equal(await prove(client, first), 201);
  assert.ok(stranger.seen.length <= replicas, 'they are fetched once and kept');
  stranger.documents.set('/keys', { keys: [second.jwk] });
  const before = stranger.seen.length;
  assert.equal(await prove(client, second), 401, 'they were fetched less than half a minute ago');
  assert.equal(stranger.seen.length, before, 'nobody makes this server ask again and again');
  advance(31_000);
  assert.equal(await prove(client, second), 201);
  assert.ok(stranger.seen.length > before);
  if (replicas === 1) assert.equal(await prove(client, first), 401, 'the old key is gone');
  assert.equal(await prove(client, await makeKey('second')), 401, 'another key of that name');
});

test('a client that describes itself publishes its keys elsewhere (client id metadata document)', async (t) => {
  const { stranger, about, prove } = await start(t);
  const key = await makeKey('only');
  const id = `${stranger.url}/client.json`;
  const document = about({ client_id: id, jwks_uri: `${stranger.url}/its/keys` });
  stranger.documents.set('/client.json', document);
  stranger.documents.set('/its/keys', { keys: [key.jwk] });
  assert.equal(await prove(id, key), 201);
  assert.equal(await prove(id, await makeKey('only')), 401);
  assert.equal(await prove(id, await makeKey('other')), 401);
});

test('what stands where the keys should be proves nobody, and leads nowhere', async (t) => {
  const { stranger, register, prove } = await start(t);
  const key = await makeKey('only');
  const set = JSON.stringify({ keys: [key.jwk] });
  const send = (status: number, headers: object, body: string) => (response: ServerResponse) =>
    response.writeHead(status, { ...headers }).end(body);
  stranger.documents.set('/good', { keys: [key.jwk] });
  assert.equal(await prove(await register(`${stranger.url}/good`), key), 201);
  const seen = stranger.seen.length;
  for (const [path, answers] of [
    ['/moved', send(302, { location: `${stranger.url}/good` }, '')],
    ['/moved-for-good', send(308, { ...json, location: `${stranger.url}/good` }, set)],
    ['/huge', send(200, json, JSON.stringify({ keys: [key.jwk], more: 'x'.repeat(70_000) }))],
    ['/endless', endless],
    ['/page', send(200, { 'content-type': 'text/html' }, set)],
    ['/broken', send(200, json, set.slice(0, -1))],
    ['/list', send(200, json, `[${set}]`)],
    ['/no-keys', send(200, json, '{"keys":{}}')],
    ['/many-keys', send(200, json, JSON.stringify({ keys: Array(101).fill(key.jwk) }))],
    ['/gone', send(404, json, set)],
    ['/failing', send(500, json, set)],
  ] as const) {
    stranger.documents.set(path, answers);
    assert.equal(await prove(await register(`${stranger.url}${path}`), key), 401, path);
    assert.ok(stranger.seen.slice(seen).includes(path), path);
  }
  assert.ok(!stranger.seen.slice(seen).includes('/good'), 'no redirect is followed');
});

test('no address of keys leads into the network of the server (threat 1)', async (t) => {
  const { stranger, register, prove } = await start(t, { SERVICE_AUTH: 'required' });
  const key = await makeKey('only');
  const { port } = new URL(stranger.url);
  stranger.documents.set('/keys', { keys: [key.jwk] });
  for (const host of [
    ...[`localhost:${port}`, `127.0.0.1:${port}`, `2130706433:${port}`, `[::1]:${port}`],
    ...[`[::ffff:127.0.0.1]:${port}`, '10.0.0.1', '[::ffff:10.0.0.1]', '169.254.169.254'],
  ]) {
    assert.equal(await prove(await register(`https://${host}/keys`), key), 401, host);
  }
  assert.deepEqual(stranger.seen, []);
});

test('an address of keys is https, and that of a document', async (t) => {
  const { base, about } = await start(t);
  for (const jwks_uri of [
    ...['http://client.example/keys', 'file:///etc/passwd', 'keys', 'https://'],
    ...['https://user@client.example/keys', 'https://client.example/keys#first'],
    `https://client.example/${'k'.repeat(2048)}`,
  ]) {
    const told = await post(`${base}/oauth2/register`, about({ jwks_uri }));
    assert.deepEqual([told.status, told.json.error], [400, 'invalid_client_metadata'], jwks_uri);
  }
});

/** Writes until nobody reads any more. */
function endless(response: ServerResponse): void {
  response.writeHead(200, json);
  const piece = Buffer.alloc(16_384, ' ');
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}
