import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import { freshToken, postForm } from '../agent.ts';
import { serveIdentity } from '../served-identity.ts';

// Whoever calls is told by the token of each request, also where many come over one connection.

/** Ask over one connection what acts here; gives the status. */
function oneConnection(t: TestContext, base: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const sockets = new Set<unknown>();
  const ping = async (authorization?: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const headers = {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...(authorization !== undefined && { authorization }),
    };
    const asked = request(`${base}/mcp`, { agent, method: 'POST', headers }, async (answer) => {
      await text(answer);
      resolve(Number(answer.statusCode));
    });
    asked.on('socket', (socket) => sockets.add(socket));
    asked.on('error', reject);
    asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
    return promise;
  };
  return { ping, sockets };
}

test('each request of a connection is that of its own token', async (t) => {
  const { base } = await serveIdentity(t, { SERVICE_AUTH: 'required' });
  const [one, other] = [(await freshToken(base)).token, (await freshToken(base)).token];
  const { ping, sockets } = oneConnection(t, base);
  for (const token of [one, one, other, one, other, other]) {
    assert.equal(await ping(`Bearer ${token}`), 200);
  }
  const last = one.at(-2) === 'A' ? 'B' : 'A';
  const alike = `${one.slice(0, -2)}${last}${one.at(-1)}`;
  for (const wrong of [alike, other.slice(0, -1), `${other}A`]) {
    assert.equal(await ping(`Bearer ${other}`), 200);
    assert.equal(await ping(`Bearer ${wrong}`), 401);
  }
  assert.equal(await ping(), 401, 'nothing is kept for whoever brings nothing');
  assert.equal(await ping(`DPoP ${one}`), 401, 'one that is bound to no key');
  assert.equal((await postForm(`${base}/oauth2/revoke`, { token: one })).status, 200);
  assert.equal(await ping(`Bearer ${one}`), 401, 'it was revoked');
  assert.equal(await ping(`Bearer ${other}`), 200);
  assert.equal(sockets.size, 1);
});

test('a token ends on the connection that goes on bringing it', async (t) => {
  const { base, advance } = await serveIdentity(t, { SERVICE_AUTH: 'required' });
  const { token } = await freshToken(base);
  const { ping } = oneConnection(t, base);
  for (let count = 0; count < 3; count++) assert.equal(await ping(`Bearer ${token}`), 200);
  advance(3_600_000 + 60_001);
  assert.equal(await ping(`Bearer ${token}`), 401);
});
