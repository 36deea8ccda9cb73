import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { startCli } from '../../cli/run-cli.ts';
import { temporaryDirectory } from '../../store/temporary-directory.ts';
import { ask, can } from './confirm-server.ts';

// A server that is killed while an approved refund is on its way.

const call = {
  name: 'stripe_refunds_create',
  arguments: { payment_intent: 'pi_NinaHolt0001', amount: 1000 },
};
const yes = { approval: { action: 'accept', content: { approve: true } } };

/** Pays at once, and answers only when it is well. */
async function startVendor(t: TestContext) {
  const keys: string[] = [];
  const { promise: paid, resolve } = Promise.withResolvers<void>();
  const vendor = { keys, paid, isWell: false, url: '' };
  const server = createServer((request, response) => {
    keys.push(String(request.headers['idempotency-key']));
    resolve();
    if (!vendor.isWell) return;
    const refund = { id: 're_1', object: 'refund', amount: 1000, status: 'succeeded' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(refund));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return vendor;
}

async function serve(t: TestContext, vendorUrl: string, dataDir: string) {
  const child = startCli(['serve'], {
    SERVICE_PROVIDER: 'stripe',
    SERVICE_PROVIDER_STRIPE_URL: vendorUrl,
    SERVICE_STRIPE_API_KEY: 'key-of-stripe',
    SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8',
    SERVICE_TOOL_MODE: 'direct',
    SERVICE_DATA_DIR: dataDir,
    PORT: '0',
  });
  const { promise, resolve, reject } = Promise.withResolvers<URL>();
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      said += text;
      const [, address] = /listens on (http:\S+)/.exec(said) ?? [];
      if (address !== undefined) resolve(new URL('/mcp', address));
    });
  }
  child.once('exit', () => reject(new Error(said)));
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  t.after(kill);
  return { url: await promise, kill };
}

test('after kill -9 in the middle, the next question says so, and the vendor gets the same key', async (t) => {
  const vendor = await startVendor(t);
  const dataDir = `${temporaryDirectory(t)}/data`;
  const first = await serve(t, vendor.url, dataDir);
  const { requestState } = await ask(first.url, can.forms, call);
  const answer = { ...call, inputResponses: yes, requestState };
  const lost = assert.rejects(ask(first.url, can.forms, answer));
  await vendor.paid;
  await first.kill();
  await lost;
  vendor.isWell = true;
  const second = await serve(t, vendor.url, dataDir);
  const asked = await ask(second.url, can.forms, call);
  assert.match(
    String(asked.inputRequests?.['approval']?.params['message']),
    /ATTENTION: the very same call ran before\. It began at \S+Z and has not told its end: it may have taken effect/,
  );
  const again = { ...call, inputResponses: yes, requestState: asked.requestState };
  assert.equal((await ask(second.url, can.forms, again)).isError, undefined);
  assert.ok(vendor.keys.length >= 2);
  assert.equal(new Set(vendor.keys).size, 1, vendor.keys.join(' '));
});
