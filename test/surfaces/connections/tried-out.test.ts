import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import { sendJson, startUpstream } from '../../runtime/outbound/upstream.ts';
import { Browser } from '../identity/browser.ts';
import { serveIdentity } from '../identity/served-identity.ts';
import { call, connectUrlIn } from './people.ts';

const key = `lin_api_${'a'.repeat(32)}`;
const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };
const refuse = (response: ServerResponse) =>
  sendJson(response, { errors: [{ message: 'no' }] }, 401);
const well = (response: ServerResponse) =>
  sendJson(response, { data: { viewer: { id: '1', name: 'mine' } } });

/** What a vendor answers while something is wrong with it, and not with the key. */
const passing: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ['a page', (response) => response.writeHead(200, html).end('<html>Maintenance</html>')],
  ['broken JSON', (response) => response.writeHead(200, json).end('{"data":')],
  [
    'less than it says',
    (response) =>
      response
        .writeHead(200, { 'content-length': '99' })
        .write('{"data":', () => response.destroy()),
  ],
  ['an error of its own', (response) => sendJson(response, { errors: [{ message: 'oops' }] })],
  ['another status', (response) => response.writeHead(204).end()],
  ['to wait', (response) => response.writeHead(429).end()],
  ['too late', (response) => response.writeHead(408).end()],
];

test('only what a vendor says of a key ends the account of a person, or refuses the key', async (t) => {
  // What it answers, one after the other; then it is well.
  const next: ((response: ServerResponse) => void)[] = [];
  const vendor = await startUpstream(t, (response) => (next.shift() ?? well)(response));
  const { base } = await serveIdentity(t, {
    ...{ SERVICE_PROVIDER: 'linear', SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8' },
    SERVICE_PROVIDER_LINEAR_URL: vendor.url,
  });
  const viewer = () => call(base, undefined, 'linear_viewer');
  const person = new Browser(base);
  await person.open(connectUrlIn(await viewer()));
  const paste = () => person.send('/connect/linear', { key });
  for (const [what, answer] of passing) {
    next.push(...Array.from({ length: 4 }, () => answer));
    const { status, text } = await paste();
    assert.equal(status, 502, what);
    assert.match(text, /Try again later/, what);
    next.length = 0;
  }
  next.push(refuse);
  assert.match((await paste()).text, /does not take this key \(it answered 401\)/);
  for (const said of [
    { message: 'Invalid access token' },
    { message: 'no', extensions: { code: 'KEY_EXPIRED' } },
    { message: 'no', extensions: { code: 'INVALID_TOKEN' } },
  ]) {
    next.push((response) => sendJson(response, { errors: [said] }));
    assert.match((await paste()).text, /does not take this key \(it answered 200\)/);
  }
  assert.match((await paste()).text, /connected since/);

  for (const [what, answer] of passing) {
    // A call is refused, and the vendor fails when it is asked whether it still takes the key.
    next.push(refuse, ...Array.from({ length: 4 }, () => answer));
    assert.equal((await viewer()).isError, true, what);
    next.length = 0;
    assert.equal((await viewer()).isError ?? false, false, what);
  }
  next.push(refuse, refuse);
  assert.equal((await viewer()).isError, true);
  assert.ok(connectUrlIn(await viewer()));
});
