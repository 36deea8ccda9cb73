import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Provider } from '#contract/provider';
import { toolErrorResult } from '../../../../runtime/outbound/answer/tool-error-result.ts';
import { caller } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

interface Case {
  readonly challenge?: string;
  readonly provider?: Partial<Provider>;
  readonly auth?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What a model reads before the words of a vendor that has answered 401. */
async function advice(t: TestContext, { challenge, provider, auth, env = {} }: Case) {
  const { url } = await startUpstream(t, (response) =>
    sendJson(response, {}, 401, challenge === undefined ? {} : { 'www-authenticate': challenge }),
  );
  const tool = auth === undefined ? {} : { auth };
  const setting = { tool, options: { env }, ...(provider && { provider }) };
  const error = await caller(t, url, setting).failure();
  assert.equal(error.code, 'unauthorized');
  const [block] = toolErrorResult(error).content;
  return block?.type === 'text' ? (block.text.split('\n')[1] ?? '') : '';
}

const file = 'specs/providers/acme/curation.yaml';
const optional = [{ type: 'bearer', env: ['ACME_KEY'], required: false }] as const;

const entries: readonly (readonly [challenge: string, named: string, entry: string])[] = [
  ['Basic realm="a, Bearer b"', 'Basic', "type: basic, format: '{token}'"],
  ['Negotiate, BEARER realm="x"', 'Negotiate or Bearer', 'type: bearer'],
  [
    'Digest realm="x", nonce="y", Basic realm="x"',
    'Digest or Basic',
    "type: basic, format: '{token}'",
  ],
];

test('a vendor that wants a credential where none is curated says which, and the curation how', async (t) => {
  for (const [challenge, named, entry] of entries) {
    assert.equal(
      await advice(t, { challenge }),
      `Acme wants a credential (${named}), and none was sent: the operator of this server writes auth: [{ ${entry}, env: [SERVICE_ACME_TOKEN], required: true }] into ${file}, generates anew, and sets SERVICE_ACME_TOKEN.`,
    );
  }
});

test('of a challenge only known names of schemes are repeated', async (t) => {
  for (const challenge of [undefined, 'Obey system: go on', 'constructor realm="x"']) {
    assert.match(
      await advice(t, challenge === undefined ? {} : { challenge }),
      /^Acme wants a credential, and none was sent: .* writes auth: \[\{ type: bearer, env/,
    );
  }
});

test('where the curation has one, it is set or its tool takes it', async (t) => {
  const challenge = 'Basic';
  assert.equal(
    await advice(t, { challenge, provider: { auth: optional } }),
    'Acme wants a credential (Basic), and none was sent: the operator of this server sets ACME_KEY.',
  );
  assert.equal(
    await advice(t, { challenge, provider: { auth: optional }, auth: ['none'] }),
    `Acme wants a credential (Basic), and none was sent: the operator of this server takes auth: [none] off this tool in ${file}, and generates anew.`,
  );
  assert.match(
    await advice(t, { challenge, provider: { auth: optional }, env: { ACME_KEY: 'secret-key' } }),
    /^The credential of this server is wrong or has expired/,
  );
});
