import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import test from 'node:test';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import { shared } from '../../common-server.ts';
import { startWholeServer } from '../whole-server.ts';

const insecure = { [oauth.allowInsecureRequests]: true };
const secret = 'a secret of the machine';
const clients = [
  {
    ...{ client_id: 'machine', client_secret: secret, scope: 'mcp.tools' },
    grant_types: ['client_credentials'],
  },
  {
    ...{ client_id: 'bound', client_secret: secret, scope: 'mcp.tools' },
    ...{ grant_types: ['client_credentials'], dpop_bound_access_tokens: true },
  },
];
const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

const serve = shared(startWholeServer);

async function start() {
  const server = await serve({ SERVICE_OAUTH_CLIENTS: JSON.stringify(clients) });
  const issuer = new URL(server.base);
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  );
  return { ...server, as };
}

/** Proofs that are made by hand, so that each part of them can be wrong. */
async function prover() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const prove = (claims: Readonly<Record<string, unknown>>, header: object = {}) =>
    new SignJWT({ jti: randomUUID(), iat: Math.floor(Date.now() / 1000), ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
      .sign(privateKey);
  return { jwk, prove, secretJwk: await exportJWK(privateKey) };
}

const athOf = (token: string) => createHash('sha256').update(token).digest('base64url');

async function tokenFor(base: string, proof: string | undefined, client = 'machine') {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client,
    client_secret: secret,
  });
  const answer = await fetch(`${base}/oauth2/token`, {
    method: 'POST',
    body,
    headers: proof === undefined ? {} : { dpop: proof },
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, string> };
}

test('a token is bound to a key, and worth nothing without its proof (oauth4webapi; RFC 9449)', async () => {
  const { base, as } = await start();
  const client: oauth.Client = { client_id: 'machine' };
  const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
  const granted = await oauth.processClientCredentialsResponse(
    as,
    client,
    await oauth.clientCredentialsGrantRequest(
      as,
      client,
      oauth.ClientSecretPost(secret),
      {},
      {
        DPoP,
        ...insecure,
      },
    ),
  );
  assert.equal(granted.token_type, 'dpop');
  const { access_token: token } = granted;
  const ask = (more: object) =>
    oauth.protectedResourceRequest(
      token,
      'POST',
      new URL(`${base}/mcp`),
      new Headers(headers),
      JSON.stringify(call),
      { ...insecure, ...more },
    );
  assert.equal((await ask({ DPoP })).status, 200);
  const other = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
  await assert.rejects(ask({ DPoP: other }), oauth.WWWAuthenticateChallengeError);
  for (const authorization of [`Bearer ${token}`, `DPoP ${token}`]) {
    const answer = await fetch(`${base}/mcp`, {
      method: 'POST',
      headers: { ...headers, authorization },
      body: JSON.stringify(call),
    });
    assert.equal(answer.status, 401, authorization.slice(0, 6));
  }
});

test('each part of a proof counts (RFC 9449 section 4.3)', async () => {
  const { base } = await start();
  const { prove, secretJwk } = await prover();
  const htu = `${base}/oauth2/token`;
  const good = { htm: 'POST', htu };
  assert.equal((await tokenFor(base, await prove(good))).status, 200);
  assert.equal((await tokenFor(base, await prove({ ...good, htu: `${htu}?a=1#b` }))).status, 200);
  const now = Math.floor(Date.now() / 1000);
  for (const [what, proof] of [
    ['method', await prove({ ...good, htm: 'GET' })],
    ['URL', await prove({ ...good, htu: `${base}/mcp` })],
    ['other host', await prove({ ...good, htu: 'https://evil.example/oauth2/token' })],
    ['old', await prove({ ...good, iat: now - 400 })],
    ['early', await prove({ ...good, iat: now + 400 })],
    ['no iat', await prove({ ...good, iat: undefined })],
    ['no jti', await prove({ ...good, jti: undefined })],
    ['type', await prove(good, { typ: 'JWT' })],
    ['private key', await prove(good, { jwk: secretJwk })],
    ['no key', await prove(good, { jwk: undefined })],
    ['broken', 'x.y.z'],
    ['two', `${await prove(good)}, ${await prove(good)}`],
  ] as const) {
    const { status, json } = await tokenFor(base, proof);
    assert.equal(status, 400, what);
    assert.equal(json['error'], 'invalid_dpop_proof', what);
  }
  const once = await prove(good);
  const all = await Promise.all(Array.from({ length: 10 }, () => tokenFor(base, once)));
  assert.equal(all.filter(({ status }) => status === 200).length, 1, 'a proof is used once');
  assert.equal((await tokenFor(base, undefined, 'bound')).json['error'], 'invalid_dpop_proof');
});

test('at the resource a proof belongs to its token, method and URL (RFC 9449 section 7)', async () => {
  const { base } = await start();
  const { jwk, prove } = await prover();
  const { json } = await tokenFor(base, await prove({ htm: 'POST', htu: `${base}/oauth2/token` }));
  const token = String(json['access_token']);
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  assert.equal(claims.cnf.jkt, await calculateJwkThumbprint(jwk));
  const ask = async (proof: string) =>
    fetch(`${base}/mcp`, {
      method: 'POST',
      headers: { ...headers, authorization: `DPoP ${token}`, dpop: proof },
      body: JSON.stringify(call),
    });
  const good = { htm: 'POST', htu: `${base}/mcp`, ath: athOf(token) };
  const proof = await prove(good);
  assert.equal((await ask(proof)).status, 200);
  const again = await ask(proof);
  assert.equal(again.status, 401);
  assert.match(
    String(again.headers.get('www-authenticate')),
    /^DPoP error="invalid_dpop_proof".*algs="ES256 EdDSA"/,
  );
  for (const claim of [
    { ath: athOf('another') },
    { ath: undefined },
    { htu: base },
    { htm: 'GET' },
  ]) {
    assert.equal((await ask(await prove({ ...good, ...claim }))).status, 401);
  }
});

test('a digest in a proof has to be that of the body, where there is one (RFC 9530)', async () => {
  const { base } = await start();
  const { prove } = await prover();
  const digestOf = (text: string) =>
    `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;
  const form = `grant_type=client_credentials&client_id=machine&client_secret=${encodeURIComponent(secret)}&resource=${encodeURIComponent(base)}`;
  const post = async (path: string, body: string, claims: object, more: object = headers) => {
    const proof = await prove({ htm: 'POST', htu: base + path, ...claims });
    const sent = { ...more, dpop: proof };
    return fetch(base + path, { method: 'POST', headers: sent, body });
  };
  const trade = (digest: unknown) =>
    post(
      '/oauth2/token',
      form,
      { content_digest: digest },
      {
        'content-type': 'application/x-www-form-urlencoded',
      },
    );
  const granted = await trade(digestOf(form));
  assert.equal(granted.status, 200);
  const { access_token: token } = (await granted.json()) as { readonly access_token: string };
  assert.equal((await trade(`sha-512=:eA==:, ${digestOf(form)}`)).status, 200);
  for (const digest of [digestOf('another'), digestOf(''), 'sha-512=:eA==:', '', 5, null]) {
    const { status, json } = await trade(digest).then(async (answer) => ({
      status: answer.status,
      json: (await answer.json()) as { readonly error: string },
    }));
    assert.deepEqual([status, json.error], [400, 'invalid_dpop_proof'], String(digest));
  }
  const body = JSON.stringify(call);
  const ath = athOf(token);
  const sent = { ...headers, authorization: `DPoP ${token}` };
  const asked = (digest: string) => post('/mcp', body, { ath, content_digest: digest }, sent);
  assert.equal((await asked(digestOf(body))).status, 200);
  assert.equal((await asked(digestOf(`${body} `))).status, 401);
  const read = async (digest: string) => {
    const claims = { htm: 'GET', htu: `${base}/agent/identity`, ath, content_digest: digest };
    const answer = await fetch(`${base}/agent/identity`, {
      headers: { ...sent, dpop: await prove(claims) },
    });
    return String(answer.headers.get('www-authenticate'));
  };
  assert.doesNotMatch(await read(digestOf('')), /invalid_dpop_proof/);
  assert.match(await read(digestOf('x')), /invalid_dpop_proof/);
});
