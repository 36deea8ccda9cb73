import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { serve } from '../../runtime/cli/served.ts';
import { Agent, codeOn, personAt } from './claiming-agent.ts';

/** Every text under a folder, as bytes that can be searched. */
function filesIn(folder: string): readonly { readonly name: string; readonly bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((name) => ({ name, bytes: readFileSync(name) }));
}

test('no secret that was ever given out stands in a log, in the store or in the audit log', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'no-secrets-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { url, log, child } = await serve(t, {
    SERVICE_DATA_DIR: join(folder, 'data'),
    SERVICE_AUTH: 'required',
    SERVICE_CLAIM_AUTH: 'dev',
    SERVICE_LOG_LEVEL: 'trace',
  });
  const base = url.origin;
  const agent = new Agent(base);
  const secrets = new Map<string, string>();
  const keep = (name: string, value: unknown) => {
    assert.ok(typeof value === 'string' && value.length >= 8, `${name}: ${value}`);
    secrets.set(name, value);
    return value;
  };

  const registered = await agent.register({ type: 'service_auth', email: 'ada@example.com' });
  keep('claim token', registered.claimToken);
  keep('typed code', registered.userCode);
  const link = String(registered.link);
  keep('attempt token', new URL(link).searchParams.get('claim_attempt_token'));
  await agent.complete(registered.claimToken, 'BBBB-BBBB');
  // As it was seen in the field: the token in the address, which the log must not show.
  await agent.send('GET', `/agent/identity/claim/view?claim_token=${registered.claimToken}`);
  const person = await personAt(base, link, 'ada@example.com');
  keep('session', person.cookie('session'));
  await person.send('/agent/claim/confirm');
  const code = keep('read-back code', codeOn(person));
  const { body } = await agent.complete(registered.claimToken, code);
  const assertion = keep('assertion', body['identity_assertion']);
  const identity = body['identity'] as { readonly refresh_token: { readonly value: string } };
  const refreshToken = keep('refresh token', identity.refresh_token.value);
  const { body: tokens } = await agent.exchange(assertion);
  const accessToken = keep('access token', tokens['access_token']);
  const again = await agent.send('POST', '/agent/identity', {
    ...{ type: 'refresh', refresh_token: refreshToken },
  });
  keep('second assertion', again.body['identity_assertion']);
  await agent.whoami(accessToken);
  // Wrong in every place: what is refused must not be repeated either.
  await agent.whoami(`${accessToken}x`);
  await agent.exchange(`${assertion}x`);
  await agent.send('GET', `/agent/identity?access_token=${accessToken}`);
  await agent.send('GET', `/nothing/here/${refreshToken}`);
  await fetch(new URL('/oauth2/revoke', base), {
    method: 'POST',
    body: new URLSearchParams({ token: accessToken }),
  });
  assert.equal((await agent.whoami(accessToken)).status, 401);
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));

  const places = [{ name: 'the log', bytes: Buffer.from(log()) }, ...filesIn(folder)];
  // What is no secret is found, so that a search that finds nothing means something.
  assert.ok(places.some(({ bytes }) => bytes.includes(registered.id)));
  for (const [secret, value] of secrets) {
    const plain = value.replace('-', '');
    const found = places.filter(({ bytes }) => bytes.includes(value) || bytes.includes(plain));
    assert.deepEqual(
      found.map(({ name }) => name),
      [],
      `${secret} was written`,
    );
  }
});
