import assert from 'node:assert/strict';
import test from 'node:test';
import type { JWTPayload } from 'jose';
import { shared } from '../../common-server.ts';
import { startVouching } from '../vouching.ts';
import { startWholeServer } from '../whole-server.ts';

const caep = 'https://schemas.openid.net/secevent/caep/event-type';
const risc = 'https://schemas.openid.net/secevent/risc/event-type';
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const serve = shared(startWholeServer);
const vouching = shared((t) => startVouching(t));
let people = 0;

/** A server and a provider that all tests share, and two people of its own for each. */
async function start() {
  const { env, jag, sign, now } = await vouching();
  const { base } = await serve(env);
  const [sub, another] = [`u${people++}`, `u${people++}`];
  const email = `${sub}@example.com`;
  const post = async (path: string, type: string, body: string) => {
    const headers = { 'content-type': type };
    const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body });
    const text = await answer.text();
    return { status: answer.status, json: text === '' ? {} : JSON.parse(text) };
  };
  return {
    ...{ base, now, sub },
    other: { sub: another, email: `${another}@example.com` },
    async register(more: JWTPayload = {}) {
      const body = {
        type: 'identity_assertion',
        assertion: await jag(base, { sub, email, ...more }),
      };
      return post('/agent/identity', 'application/json', JSON.stringify(body));
    },
    async isWorth(assertion: string) {
      const form = new URLSearchParams({ grant_type: jwtBearer, assertion });
      const { status } = await post(
        '/oauth2/token',
        'application/x-www-form-urlencoded',
        form.toString(),
      );
      return status === 200;
    },
    async tell(uri: string, more: object) {
      const event = await sign({ aud: base, events: { [uri]: {} }, ...more }, 'secevent+jwt');
      return post('/agent/event/notify', 'application/secevent+jwt', event);
    },
  };
}

test('after a change of credentials, people have to sign in anew (CAEP section 3.3)', async () => {
  const { register, tell, isWorth, now, sub, other: person } = await start();
  const auth_time = now() - 60;
  const { json } = await register({ auth_time });
  assert.equal(await isWorth(json.identity_assertion), true);
  // Another person of the same provider keeps what they have.
  const other = { ...person, auth_time };
  const kept = await register(other);
  assert.equal((await tell(`${caep}/credential-change`, { sub })).status, 202);
  assert.equal(await isWorth(json.identity_assertion), false);
  const early = await register({ auth_time });
  assert.deepEqual([early.status, early.json.error], [401, 'login_required']);
  const late = await register({ auth_time: now() + 2 });
  assert.equal(late.status, 200, JSON.stringify(late.json));
  assert.equal(await isWorth(kept.json.identity_assertion), true);
  assert.equal((await register(other)).status, 200);
});

test('the end of a session takes the access, and not the login (CAEP section 3.1)', async () => {
  const { register, tell, isWorth, now, sub } = await start();
  const auth_time = now() - 60;
  const { json } = await register({ auth_time });
  assert.equal((await tell(`${caep}/session-revoked`, { sub })).status, 202);
  assert.equal(await isWorth(json.identity_assertion), false);
  assert.equal((await register({ auth_time })).status, 200);
});

test('an event names its subject in each form that RFC 9493 has for people', async () => {
  const { register, tell, isWorth } = await start();
  for (const [name, sub_id] of [
    ['opaque', { format: 'opaque', id: 'opaque' }],
    ['email', { format: 'email', email: 'Email@Example.com' }],
  ] as const) {
    const { json } = await register({ sub: name, email: `${name}@example.com` });
    const told = await tell(`${risc}/account-disabled`, { sub_id });
    assert.equal(told.status, 202, JSON.stringify(told.json));
    assert.equal(await isWorth(json.identity_assertion), false, name);
  }
  // Whoever is not known here is not told of either.
  const nobody = { format: 'email', email: 'nobody@example.com' };
  assert.equal((await tell(`${risc}/account-disabled`, { sub_id: nobody })).status, 202);
});

test('an event whose subject cannot be read is refused, and says what was expected', async () => {
  const { register, tell, isWorth, sub } = await start();
  const { json } = await register();
  for (const [claims, expected] of [
    [{ sub: 5 }, /its sub must be a text of 1 to 1024 characters, not a value of the type number/],
    [{ sub, tenant: 5 }, /its tenant must be a text .*, not a value of the type number/],
    [{ sub_id: { format: 'phone_number', phone_number: '+1' } }, /iss_sub, opaque or email$/],
    [{ sub_id: sub }, /it has no sub/],
  ] as const) {
    const told = await tell(`${caep}/session-revoked`, claims);
    assert.deepEqual([told.status, told.json.err], [400, 'invalid_request']);
    assert.match(told.json.description, expected);
  }
  assert.equal(await isWorth(json.identity_assertion), true);
});

test('an issuer that is trusted as well ends nothing of what another vouches for (threat 16)', async (t) => {
  const [first, second] = [await startVouching(t), await startVouching(t)];
  const trusted = [first, second].flatMap(({ env }) => JSON.parse(env.SERVICE_TRUSTED_ISSUERS));
  const env = { ...first.env, SERVICE_TRUSTED_ISSUERS: JSON.stringify(trusted) };
  const { base } = await startWholeServer(t, env);
  const send = (path: string, type: string, body: string) =>
    fetch(`${base}${path}`, { method: 'POST', headers: { 'content-type': type }, body });
  const body = { type: 'identity_assertion', assertion: await first.jag(base) };
  const registered = await send('/agent/identity', 'application/json', JSON.stringify(body));
  const { identity_assertion: assertion } = (await registered.json()) as Record<string, string>;
  const isWorth = async () => {
    const form = new URLSearchParams({ grant_type: jwtBearer, assertion: String(assertion) });
    const type = 'application/x-www-form-urlencoded';
    return (await send('/oauth2/token', type, form.toString())).status === 200;
  };
  const tell = async ({ sign }: typeof first, subject: object) => {
    const events = { [`${risc}/account-disabled`]: {} };
    const event = await sign({ aud: base, events, ...subject }, 'secevent+jwt');
    return (await send('/agent/event/notify', 'application/secevent+jwt', event)).status;
  };
  for (const subject of [
    { sub: 'u1' },
    { sub_id: { format: 'email', email: 'new@example.com' } },
    { sub_id: { format: 'iss_sub', iss: second.url, sub: 'u1' } },
  ]) {
    assert.equal(await tell(second, subject), 202);
    assert.equal(await isWorth(), true, JSON.stringify(subject));
  }
  const foreign = { sub_id: { format: 'iss_sub', iss: first.url, sub: 'u1' } };
  assert.equal(await tell(second, foreign), 400);
  assert.equal(await isWorth(), true);
  assert.equal(await tell(first, { sub: 'u1' }), 202);
  assert.equal(await isWorth(), false);
});
