import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { decodeJwt } from 'jose';
import { Revocations } from '../../../../runtime/surfaces/identity/tokens/revocations.ts';
import { bearer, postForm, rpc } from '../agent.ts';
import { serveIdentity } from '../served-identity.ts';
import { startStranger } from '../strangers.ts';
import { provider } from '../vouching.ts';

test('a token of others may expire at whatever time: once revoked it stays so, also after a restart', async (t) => {
  const { url, documents } = await startStranger(t);
  const idp = await provider(url, 'ES256');
  documents.set('/.well-known/openid-configuration', { issuer: url, jwks_uri: `${url}/keys` });
  documents.set('/keys', { keys: [idp.jwk] });
  const folder = mkdtempSync(join(tmpdir(), 'identity-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    ...{ SERVICE_AUTH: 'required', SERVICE_ALLOW_INSECURE_FETCH: '1', SERVICE_TOKEN_ISSUER: url },
    SERVICE_DATA_DIR: join(folder, 'data'),
    SERVICE_BASE_URL: 'http://127.0.0.1:1',
  };
  const stops: (() => unknown)[] = [];
  const first = await serveIdentity({ after: (stop) => stops.push(stop as () => unknown) }, env);
  const times = [Number.MAX_SAFE_INTEGER, 1e300, idp.now() + 7200.5];
  const tokens = await Promise.all(
    times.map((exp) => {
      const told = { sub: 'u', aud: `${env.SERVICE_BASE_URL}/mcp`, client_id: 'host' };
      return idp.sign({ ...told, exp, scope: 'mcp.tools' }, 'at+jwt');
    }),
  );
  const call = async (base: string, token: string) =>
    (await rpc(base, 'tools/list', {}, bearer(token))).status;
  for (const token of tokens) {
    assert.equal(await call(first.base, token), 200);
    assert.equal((await postForm(`${first.base}/oauth2/revoke`, { token })).status, 200);
    assert.equal(await call(first.base, token), 401);
  }
  for (const stop of stops) await stop();
  {
    using database = new DatabaseSync(join(env.SERVICE_DATA_DIR, 'store.db'));
    // As a row was once written: larger than what can be read as a number.
    const far = database.prepare('update identity_denied_token set expires_at = ? where jti = ?');
    const jti = decodeJwt(tokens[0] ?? '').jti ?? '';
    assert.equal(far.run(9_007_199_254_740_991_000n, jti).changes, 1);
  }
  const second = await serveIdentity(t, env);
  for (const token of tokens) assert.equal(await call(second.base, token), 401);
  // Of the last one, which still lives, nothing is forgotten when it is older than our own live.
  second.advance(6_000_000);
  assert.equal(await call(second.base, tokens[2] ?? ''), 401);
});

test('no token passes while it cannot be read what was revoked', async () => {
  const records = {
    since: () => Promise.reject(new RangeError('the value is too large')),
    deny: () => Promise.resolve(),
    raise: () => Promise.resolve(),
  };
  const revocations = new Revocations({ records, now: () => 0 });
  await assert.rejects(revocations.follow(), { status: 503, code: 'temporarily_unavailable' });
  assert.equal(revocations.isFresh, false);
});
