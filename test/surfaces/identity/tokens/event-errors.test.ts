import assert from 'node:assert/strict';
import test from 'node:test';
import { ask } from '../agent.ts';
import { serveIdentity } from '../served-identity.ts';

const type = { 'content-type': 'application/secevent+jwt' };
const perMinute = 600;

type Body = NonNullable<RequestInit['body']>;

/** A body that says nothing of its length. */
async function* pieces() {
  for (let piece = 0; piece < 4; piece++) yield Buffer.alloc(8000, 'e');
}

test('whoever delivers an event reads each refusal as RFC 8935 section 2.4 has it', async (t) => {
  const { base } = await serveIdentity(t, { SERVICE_AUTH: 'required' });
  const url = `${base}/agent/event/notify`;
  const post = (body: Body, headers: Readonly<Record<string, string>> = type) =>
    ask(url, { ...{ method: 'POST', headers, duplex: 'half' }, body });
  for (const [what, told, status] of [
    ['too long', await post('e'.repeat(20_000)), 413],
    ['too long, of no known length', await post(pieces() as unknown as Body), 413],
    ['packed', await post('e', { ...type, 'content-encoding': 'gzip' }), 415],
    [
      'in another alphabet',
      await post('e', { ...type, 'content-type': 'text/plain; charset=utf-16' }),
      415,
    ],
    ['no text', await post(Buffer.from([0xff, 0xfe])), 400],
    ['of another type', await post('e', { 'content-type': 'application/json' }), 400],
    ['nothing', await post(''), 400],
    ['no token', await post('not.a.token'), 400],
    ['by another method', await ask(url, {}), 405],
  ] as const) {
    assert.equal(told.status, status, `${what}: ${told.text}`);
    assert.deepEqual(Object.keys(told.json), ['err', 'description'], what);
    assert.equal(told.json.err, 'invalid_request', what);
    assert.ok(String(told.json.description).length > 10, what);
    assert.match(String(told.headers.get('content-type')), /^application\/json/, what);
  }
});

test('whoever delivers too many events hears when to come again', async (t) => {
  const { base } = await serveIdentity(t, { SERVICE_AUTH: 'required' });
  const init = { method: 'POST', headers: type, body: 'not.a.token' };
  const url = `${base}/agent/event/notify`;
  const atOnce = 50;
  // Many at once: one after the other, a slow machine is never too fast for the limit.
  for (let count = 0; count <= 2 * perMinute; count += atOnce) {
    const answers = await Promise.all(Array.from({ length: atOnce }, () => ask(url, init)));
    const told = answers.find(({ status }) => status !== 400);
    if (told === undefined) continue;
    assert.equal(told.status, 429, told.text);
    assert.ok(Number(told.headers.get('retry-after')) > 0);
    assert.deepEqual(Object.keys(told.json), ['err', 'description']);
    assert.equal(told.json.err, 'access_denied');
    return;
  }
  assert.fail('nobody was sent away');
});
