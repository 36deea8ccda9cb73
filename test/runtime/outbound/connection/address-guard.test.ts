import assert from 'node:assert/strict';
import type { lookup } from 'node:dns';
import test from 'node:test';
import { createAddressGuard } from '../../../../runtime/outbound/connection/address-guard.ts';
import {
  guardedLookup,
  RefusedAddressError,
} from '../../../../runtime/outbound/connection/guarded-connector.ts';
import { caller, stillClock } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

const refused = [
  '0.0.0.0',
  '0.1.2.3',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::7f00:1',
  '4000::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'not an address',
];

test('only public unicast addresses pass', () => {
  const permits = createAddressGuard([], false);
  for (const address of refused) assert.equal(permits(address), false, address);
  for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8']) {
    assert.equal(permits(address), true, address);
  }
});

test('SERVICE_OUTBOUND_ALLOW lets single ranges through', () => {
  const permits = createAddressGuard(['10.1.0.0/16', '::1', 'fd00::/8'], false);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '::1', 'fd12::1']) {
    assert.equal(permits(address), true, address);
  }
  for (const address of ['10.2.0.1', '127.0.0.1', 'fe80::1']) {
    assert.equal(permits(address), false, address);
  }
  assert.throws(() => createAddressGuard(['10.0.0.0/99'], false), /SERVICE_OUTBOUND_ALLOW/);
});

test('a self-hosted vendor may live in a private network, not where cloud metadata answers', () => {
  const permits = createAddressGuard([], true);
  for (const address of ['10.0.0.1', '192.168.0.1', '127.0.0.1', '::1', 'fd00::1', '100.64.0.1']) {
    assert.equal(permits(address), true, address);
  }
  for (const address of [
    '169.254.169.254',
    'fe80::1',
    '0.0.0.0',
    '224.0.0.1',
    '::ffff:a9fe:a9fe',
  ]) {
    assert.equal(permits(address), false, address);
  }
});

/** A DNS that answers with these addresses. */
function answering(...addresses: readonly string[]): typeof lookup {
  const entries = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const resolve = (_: string, __: object, done: (error: null, all: object) => void) =>
    done(null, entries);
  return resolve as unknown as typeof lookup;
}

function resolved(resolve: typeof lookup, all: boolean): Promise<unknown> {
  const permits = createAddressGuard([], false);
  return new Promise((settle) => {
    guardedLookup(permits, resolve)('vendor.example', { all }, (error, addresses) =>
      settle(error ?? addresses),
    );
  });
}

test('a name is refused when any of its addresses is, so that no retry picks the other', async () => {
  for (const all of [true, false]) {
    const mixed = await resolved(answering('8.8.8.8', '127.0.0.1'), all);
    assert.ok(mixed instanceof RefusedAddressError);
    const none = await resolved(answering(), all);
    assert.ok(none instanceof RefusedAddressError);
  }
  assert.equal(await resolved(answering('8.8.8.8', '8.8.4.4'), false), '8.8.8.8');
  assert.deepEqual(await resolved(answering('8.8.8.8'), true), [{ address: '8.8.8.8', family: 4 }]);
});

for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433']) {
  test(`a vendor at ${host} gets no connection`, async (t) => {
    const upstream = await startUpstream(t, (response) => sendJson(response, {}));
    const url = upstream.url.replace('127.0.0.1', host);
    const { failure } = caller(t, url, { options: { allow: [], clock: stillClock() } });
    const error = await failure();
    assert.equal(error.code, 'upstream_error');
    assert.match(error.message, /not public/);
    assert.equal(error.detail.retryable, false);
    assert.equal(upstream.seen.length, 0);
  });
}

test('a base URL that the operator sets is checked like any other', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const baseUrls = new Map([['acme', upstream.url]]);
  const { failure } = caller(t, 'https://acme.example', { options: { allow: [], baseUrls } });
  assert.match((await failure()).message, /not public/);
});

test('a self-hosted vendor on loopback is reached', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, { ok: 1 }));
  const { data } = caller(t, upstream.url.replace('127.0.0.1', 'localhost'), {
    provider: { selfHosted: true },
    options: { allow: [] },
  });
  assert.deepEqual(await data(), { ok: 1 });
});
