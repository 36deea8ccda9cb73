import assert from 'node:assert/strict';
import test from 'node:test';
import { FlowError } from '../../../runtime/surfaces/connections/oauth/flow-error.ts';
import {
  type OAuthWay,
  refreshFlow,
} from '../../../runtime/surfaces/connections/oauth/vendor-flow.ts';

const refresh = 'spent-by-this-request';
const secret = 'of-the-client';

/** What comes of an answer of the token endpoint. */
function refreshWith(
  status: number,
  text: string,
  clientAuth: OAuthWay['flow']['clientAuth'] = 'post',
) {
  const accountAt = ['name'];
  const way: OAuthWay = {
    kind: 'oauth2',
    scheme: 'token',
    client: { id: 'tools', secret },
    flow: {
      ...{ authorizeUrl: 'https://a.example/authorize', tokenUrl: 'https://a.example/token' },
      ...{ clientId: 'ID', clientSecret: 'SECRET', clientAuth, pkce: true, scopes: [] },
      ...{ scopeParameter: 'scope', scopeSeparator: ' ', tokenBody: 'form', accountAt },
    },
  };
  const answer = { status, headers: {}, body: new TextEncoder().encode(text) };
  const outbound = { fetch: async () => answer } as unknown as Parameters<
    typeof refreshFlow
  >[1]['outbound'];
  return refreshFlow(way, { outbound, now: () => 0 }, refresh);
}

async function faultOf(
  text: string,
  clientAuth?: OAuthWay['flow']['clientAuth'],
): Promise<FlowError> {
  const fault = await refreshWith(400, text, clientAuth).catch((error: unknown) => error);
  assert.ok(fault instanceof FlowError, String(fault));
  return fault;
}

/** All that a log could say of it. */
function toldOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? '';
  return [error.stack, JSON.stringify(error), toldOf(error.cause)].join('\n');
}

test('a vendor that repeats what it was sent as the code of its error is not quoted', async () => {
  const basic = Buffer.from(`tools:${secret}`).toString('base64').replace(/=+$/, '');
  for (const error of [refresh, secret, `bad_${refresh}`, `client_${secret}`]) {
    const fault = await faultOf(JSON.stringify({ error, error_description: error }));
    assert.equal(fault.message, 'the vendor answered repeated_credential');
    assert.doesNotMatch(toldOf(fault), new RegExp(`${refresh}|${secret}`));
  }
  const told = toldOf(await faultOf(JSON.stringify({ error: basic }), 'basic'));
  assert.doesNotMatch(told, new RegExp(basic));
});

test('what is no code of an error is not quoted either, however long it is', async () => {
  for (const error of ['x'.repeat(200_000), '<b>no</b>', 'no\r\nforged: line', '']) {
    const fault = await faultOf(JSON.stringify({ error }));
    assert.equal(fault.message, 'the vendor answered unnamed_error');
    assert.ok(toldOf(fault).length < 10_000);
  }
  assert.match((await faultOf('{"error":"invalid_scope"}')).message, /answered invalid_scope$/);
});

test('the mark of byte order before an answer is none of it', async () => {
  const text = `\ufeff${JSON.stringify({ access_token: 'next', token_type: 'bearer' })}`;
  assert.equal((await refreshWith(200, text)).access, 'next');
});

test('what a vendor calls an account, and its scopes, are kept without what no database or page can show', async () => {
  const odd = 'a\u0000b\u001b[2J\n\u202e\ud800';
  const answer = { access_token: 'next', token_type: 'bearer', name: odd, scope: odd };
  const { account, scopes } = await refreshWith(200, JSON.stringify(answer));
  assert.equal(account, 'a b [2J  \ufffd');
  assert.equal(scopes, 'a b [2J  \ufffd');
});
