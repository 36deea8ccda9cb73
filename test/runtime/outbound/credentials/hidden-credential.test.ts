import assert from 'node:assert/strict';
import test from 'node:test';
import type { ProviderAuth } from '#contract/provider';
import { caller } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';
import { bearer } from './schemes.ts';

const secret = 'sk_live_0123456789abcdef';

test('no form of the credential is in an error, and no internal host', async (t) => {
  const said = [
    `bad key ${secret}`,
    `encoded ${Buffer.from(secret).toString('base64')}`,
    `Authorization: Bearer abcdefghijklmnop`,
    'connect to 10.2.3.4:5432 and db.prod.svc failed, see localhost:9000',
    'hidden\u202etext\u200b\u0007',
  ].join(' | ');
  const upstream = await startUpstream(t, (response) =>
    sendJson(response, { message: said, code: secret, more: { deep: [said] } }, 400),
  );
  const { failure } = caller(t, upstream.url, {
    provider: {
      auth: [bearer],
      errors: { message: ['message'], code: ['code'], details: ['more'] },
    },
    options: { env: { ACME_TOKEN: secret }, baseUrls: new Map([['acme', upstream.url]]) },
  });
  const error = await failure();
  const shown = JSON.stringify([error.message, error.detail]);
  for (const part of [secret, Buffer.from(secret).toString('base64'), 'abcdefghijklmnop']) {
    assert.ok(!shown.includes(part), `${part} in ${shown}`);
  }
  for (const part of ['10.2.3.4', 'db.prod.svc', 'localhost', '\u202e', '\u200b', '127.0.0.1']) {
    assert.ok(!shown.includes(part), `${part} in ${shown}`);
  }
  assert.match(error.message, /bad key \[redacted\]/);
});

test('a secret is removed before a long message is cut', async (t) => {
  const message = `${'x'.repeat(490)} ${secret}`;
  const upstream = await startUpstream(t, (response) => sendJson(response, { message }, 400));
  const error = await caller(t, upstream.url, {
    provider: { auth: [bearer] },
    options: { env: { ACME_TOKEN: secret } },
  }).failure();
  assert.doesNotMatch(error.message, /sk_live/);
  assert.ok(error.message.length < 600);
});

const password = 'Pa55word:of-jo';
const pair = Buffer.from(`jo:${password}`).toString('base64');
const basic = (format: string): ProviderAuth => ({
  ...{ type: 'basic', format, env: ['ACME_KEY'], required: true },
});

const basics: readonly (readonly [string, Parameters<typeof caller>[2]])[] = [
  [
    'a variable with both',
    { provider: { auth: [basic('{token}')] }, options: { env: { ACME_KEY: `jo:${password}` } } },
  ],
  [
    'a variable each',
    {
      provider: { auth: [basic('{env:ACME_USER}:{token}')] },
      options: { env: { ACME_USER: 'jo', ACME_KEY: password } },
    },
  ],
  ['an entry', { provider: { auth: [bearer] }, options: { authJson: { acme: `Basic ${pair}` } } }],
  [
    'a header of an entry',
    {
      provider: { auth: [bearer] },
      options: { authJson: { acme: { Authorization: `Basic ${pair}` } } },
    },
  ],
];

for (const [name, setting] of basics) {
  test(`the password of user and password is hidden, from ${name}`, async (t) => {
    let status = 200;
    const said = { message: `jo may not use ${password} here` };
    const upstream = await startUpstream(t, (response) => sendJson(response, said, status));
    const { data, failure } = caller(t, upstream.url, setting);
    assert.deepEqual(await data(), { message: 'jo may not use [redacted] here' });
    status = 401;
    assert.match((await failure()).message, /: jo may not use \[redacted\] here$/);
    assert.equal(upstream.seen[0]?.headers.authorization, `Basic ${pair}`);
  });
}

test('a key that is the user, before nothing or a filler, is hidden alone', async (t) => {
  for (const filler of ['', 'x', 'X-1']) {
    const said = { key: `${secret} with ${filler}.` };
    const upstream = await startUpstream(t, (response) => sendJson(response, said));
    const { data } = caller(t, upstream.url, {
      provider: { auth: [basic('{token}')] },
      options: { env: { ACME_KEY: `${secret}:${filler}` } },
    });
    assert.deepEqual(await data(), { key: `[redacted] with ${filler}.` });
  }
});
