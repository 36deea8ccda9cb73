import assert from 'node:assert/strict';
import test from 'node:test';
import { shared } from '../../common-server.ts';
import { postForm } from '../agent.ts';
import { decide, openConsent, signedIn } from '../consent-browser.ts';
import { replicas } from '../served-identity.ts';
import { startStranger } from '../strangers.ts';
import { startWholeServer } from '../whole-server.ts';
import { authorizeUrl, redirect, register, verifier } from './registering.ts';

const serve = shared(startWholeServer);

async function start(env: Readonly<Record<string, string>> = {}) {
  const server = await serve({ SERVICE_ALLOW_INSECURE_FETCH: '1', ...env });
  return { ...server, person: await signedIn(server) };
}

test('a client is known by the document at its id (client id metadata document, section 4)', async (t) => {
  const { base, person } = await start();
  const stranger = await startStranger(t);
  const id = `${stranger.url}/client.json`;
  stranger.documents.set('/client.json', {
    ...{ client_id: id, client_name: 'Far client', redirect_uris: [redirect] },
    token_endpoint_auth_method: 'none',
  });
  const { text } = await openConsent(person, authorizeUrl(base, id));
  assert.match(text, /Far client/);
  assert.ok(text.includes(new URL(id).host));
  const back = await decide(person, authorizeUrl(base, id));
  const { status } = await postForm(`${base}/oauth2/token`, {
    ...{ grant_type: 'authorization_code', code: String(back.searchParams.get('code')) },
    ...{ redirect_uri: redirect, code_verifier: verifier, client_id: id },
  });
  assert.equal(status, 200);
  assert.ok(stranger.seen.length <= replicas, 'each replica fetches it once and keeps it');
  // Who has agreed once is not asked again by a client that nobody can pass for.
  const { shown } = await openConsent(person, authorizeUrl(base, id));
  assert.equal(shown.status, 303);
});

test('a document that is not that of its address, or holds a secret, is no client', async (t) => {
  const { base, person } = await start();
  const stranger = await startStranger(t);
  const good = { client_name: 'Far client', redirect_uris: [redirect] };
  const cases: Readonly<Record<string, (id: string) => unknown>> = {
    '/other-id': () => ({ ...good, client_id: `${stranger.url}/elsewhere` }),
    '/no-id': () => good,
    '/no-name': (id) => ({ ...good, client_id: id, client_name: '' }),
    '/no-redirect': (id) => ({ ...good, client_id: id, redirect_uris: [] }),
    '/script-redirect': (id) => ({
      ...good,
      client_id: id,
      redirect_uris: ['javascript:alert(1)'],
    }),
    '/secret': (id) => ({ ...good, client_id: id, client_secret: 'everybody can read it' }),
    '/wants-secret': (id) => ({
      ...good,
      client_id: id,
      token_endpoint_auth_method: 'client_secret_post',
    }),
    '/no-keys': (id) => ({ ...good, client_id: id, token_endpoint_auth_method: 'private_key_jwt' }),
    '/large': (id) => ({ ...good, client_id: id, more: 'x'.repeat(6000) }),
    '/list': () => [good],
  };
  for (const [path, document] of Object.entries(cases)) {
    const id = stranger.url + path;
    stranger.documents.set(path, document(id));
    const { status } = await person.open(authorizeUrl(base, id).href);
    assert.equal(status, 400, path);
  }
});

test('an id that is a URL in another spelling, or leads to a private address, is not fetched (SSRF)', async (t) => {
  const { base, person } = await start({ SERVICE_ALLOW_INSECURE_FETCH: '0' });
  const stranger = await startStranger(t);
  const { port } = new URL(stranger.url);
  for (const id of [
    `https://127.0.0.1:${port}/c`,
    `https://localhost:${port}/c`,
    `https://2130706433:${port}/c`,
    `https://[::1]:${port}/c`,
    `https://[::ffff:127.0.0.1]:${port}/c`,
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/c',
    `http://localhost:${port}/c`,
    'https://client.example',
    'https://client.example/',
    'https://client.example/a/../b',
    'https://client.example/%2e%2e/b',
    'https://user@client.example/c',
    'https://client.example/c#x',
    'https://CLIENT.example/c',
    'https://client.example:443/c',
  ]) {
    const { status } = await person.open(authorizeUrl(base, id).href);
    assert.equal(status, 400, id);
    const { json } = await postForm(`${base}/oauth2/token`, {
      ...{
        grant_type: 'authorization_code',
        code: 'oac_x',
        code_verifier: verifier,
        client_id: id,
      },
    });
    assert.equal(json['error'], 'invalid_client', id);
    assert.ok(!JSON.stringify(json).includes('ECONN'), 'what can be reached is not told');
  }
  assert.deepEqual(stranger.seen, []);
});

test('hosts that know no documents register themselves (RFC 7591)', async () => {
  const { base, person } = await start();
  const metadata = {
    client_name: 'Host‮evil\n',
    redirect_uris: ['http://127.0.0.1:3334/callback', 'cursor://host/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token', 'urn:of:others'],
    ...{ response_types: ['code'], software_id: '4NRB1-0XZABZI9E6-5SM3R' },
  };
  const { status, json } = await register(base, { ...metadata, software_version: '2.2' });
  assert.equal(status, 201, JSON.stringify(json));
  assert.equal(json['client_secret'], undefined);
  // All that is kept of it is told (RFC 7591 section 3.2.1).
  assert.deepEqual([json['software_id'], json['software_version']], [metadata.software_id, '2.2']);
  assert.deepEqual(json['grant_types'], ['authorization_code', 'refresh_token']);
  assert.deepEqual((await register(base, { ...metadata, software_version: '2.2' })).json, json);
  const unnumbered = (await register(base, metadata)).json;
  assert.notEqual(unnumbered['client_id'], json['client_id'], 'its answer is another one');
  assert.ok(!('software_version' in unnumbered));
  const id = String(json['client_id']);
  const { text, shown } = await openConsent(
    person,
    authorizeUrl(base, id, 'cursor://host/callback'),
  );
  assert.match(text, /registered itself/);
  assert.ok(!text.includes('‮'));
  assert.match(String(shown.headers.get('content-security-policy')), /form-action 'self' cursor:/);
  const back = await decide(person, authorizeUrl(base, id, 'cursor://host/callback'));
  assert.ok(back.searchParams.has('code'));
  const bound = { redirect_uris: [redirect], dpop_bound_access_tokens: true };
  const confidential = (await register(base, bound)).json;
  assert.match(String(confidential['client_secret']), /^[\w-]{43}$/);
  assert.equal(confidential['dpop_bound_access_tokens'], true);
  assert.ok(!('software_id' in confidential));
});

test('what is wrong with a registration is told as RFC 7591 section 3.2.2 says', async () => {
  const { base } = await start();
  for (const [metadata, error] of [
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['data:text/html,x'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://client.example/cb'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://client.example/cb#x'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://u:p@client.example/cb'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://client.example/cb' }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://localhost/cb'], application_type: 'web' }, 'invalid_redirect_uri'],
    [
      { redirect_uris: [redirect], token_endpoint_auth_method: 'tls_client_auth' },
      'invalid_client_metadata',
    ],
    [
      { redirect_uris: [redirect], token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata',
    ],
    [{ redirect_uris: [redirect], client_name: 5 }, 'invalid_client_metadata'],
  ] as const) {
    const { status, json } = await register(base, metadata);
    assert.equal(status, 400, JSON.stringify(metadata));
    assert.equal(json['error'], error, JSON.stringify(metadata));
  }
});

test('where it is switched off nobody registers, and nobody is told to', async () => {
  const { base } = await start({ SERVICE_CLIENT_REGISTRATION: '0' });
  assert.equal((await register(base, { redirect_uris: [redirect] })).status, 403);
  const metadata = await fetch(`${base}/.well-known/oauth-authorization-server`);
  assert.equal(
    ((await metadata.json()) as object & { registration_endpoint?: string }).registration_endpoint,
    undefined,
  );
});
