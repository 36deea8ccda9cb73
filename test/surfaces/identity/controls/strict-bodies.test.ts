import assert from 'node:assert/strict';
import test from 'node:test';
import { ask, postForm, register, tokenPath } from '../agent.ts';
import { serveIdentity } from '../served-identity.ts';

const json = { 'content-type': 'application/json' };

test('a member that comes twice is refused wherever agents write (threat 20)', async (t) => {
  const { base } = await serveIdentity(t, { SERVICE_AUTH: 'required' });
  const { claim_token: token } = await register(base);
  for (const [path, body] of [
    ['/agent/identity', '{"type":"anonymous","type":"refresh"}'],
    ['/agent/identity', '{"type":"anonymous","\\u0074ype":"refresh"}'],
    [
      '/agent/identity/claim',
      `{"claim_token":"${token}","email":"ada@example.com","email":"eve@example.com"}`,
    ],
    [
      '/agent/identity/claim/complete',
      `{"claim_token":"clm_x","claim_token":"${token}","user_code":"BBBB-BBBB"}`,
    ],
  ] as const) {
    const told = await ask(`${base}${path}`, { method: 'POST', headers: json, body });
    assert.deepEqual([told.status, told.json.error], [400, 'invalid_request'], body);
    assert.match(told.json.message, /twice/, body);
  }
});

test('bodies that are large, deep, odd or of another type are refused, and nothing breaks (threat 20)', async (t) => {
  const { base } = await serveIdentity(t, { SERVICE_AUTH: 'required' });
  const deep = `${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}`;
  for (const [body, headers, statuses] of [
    ['x'.repeat(40_000), json, [400, 413]],
    [deep, json, [400, 413]],
    ['{"type":"anonymous"', json, [400]],
    ['\u0000', json, [400]],
    ['"anonymous"', json, [400]],
    ['{"type":"anonymous"}', { 'content-type': 'text/plain' }, [415]],
    ['{"type":"anonymous"}', { ...json, 'content-encoding': 'gzip' }, [400, 415]],
    ['{"__proto__":{"type":"anonymous"}}', json, [400]],
    ['{"constructor":{"prototype":{"type":"anonymous"}}}', json, [400]],
  ] as const) {
    const told = await ask(`${base}/agent/identity`, { method: 'POST', headers, body });
    assert.ok((statuses as readonly number[]).includes(told.status), `${told.status} ${told.text}`);
    assert.equal(typeof told.json.error, 'string');
    assert.doesNotMatch(told.text, / at .*\.ts|node:/, 'no trace of the program');
  }
  const members = Array.from({ length: 5000 }, (_, index) => [`a${index}`, 'b']);
  const many = await postForm(`${base}${tokenPath}`, Object.fromEntries(members));
  assert.deepEqual([many.status, many.json.error], [400, 'invalid_request']);
  await register(base);
});

test('what is refused is not repeated where it gives access (RFC 6749 section 10.3)', async (t) => {
  const { base } = await serveIdentity(t, { SERVICE_AUTH: 'required' });
  const { claim_token: token, identity_assertion: assertion } = await register(base);
  const post = (path: string, body: unknown) =>
    ask(`${base}${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
  const view = `${base}/agent/identity/claim/view?claim_token=${token}`;
  for (const told of [
    await post('/agent/identity/claim', { claim_token: [token], email: 'ada@example.com' }),
    await post('/agent/identity/claim', [{ claim_token: token }]),
    await post('/agent/identity/claim/complete', { claim_token: token, user_code: [token] }),
    await post('/agent/identity', { type: 'identity_assertion', assertion: [assertion] }),
    await post('/agent/identity', { type: 'refresh', refresh_token: { is: token } }),
    await ask(`${view}&claim_token=${token}`),
    await postForm(`${base}${tokenPath}`, { grant_type: 'x'.repeat(600), assertion }),
  ]) {
    assert.equal(told.status, 400, told.text);
    for (const secret of [token, assertion]) {
      assert.ok(!told.text.includes(String(secret).slice(0, 16)), told.text);
    }
  }
});
