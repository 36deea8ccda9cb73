import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { request } from 'undici';
import type { Arrival } from '#contract/arrival';
import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { Operation, OperationLimit } from '#contract/operation';
import { addressKey } from '#contract/surface/address-key';
import type { Route } from '#contract/surface/route';
import { createAdmission } from '../../../runtime/admission/admission.ts';
import { Call } from '../../../runtime/admission/call.ts';
import { terminalArrival } from '../../../runtime/admission/http-arrival.ts';
import { Windows } from '../../../runtime/admission/steps/windows.ts';
import { startInMemoryServer } from '../in-memory-server.ts';

const known: Caller = {
  ...{ tenant: 't', subject: 's', client: 'c', scopes: new Set<string>(), transport: 'http' },
};
const nobody: Caller = { ...known, subject: 'anonymous', isAnonymous: true };

function operation(by?: OperationLimit['by']): Operation {
  const limit = { requests: 1, perMs: 60_000, ...(by && { by }) };
  return { name: 'act', access: 'public', limit };
}

/** Whether a call of a caller from an address is let through. */
function door(by?: OperationLimit['by']) {
  const run = createAdmission({ callRate: 0 }).admit(operation(by), async () => 'done');
  return async (caller: Caller, address?: string) => {
    const http: Arrival = { ...terminalArrival, transport: 'http', address };
    try {
      await run({}, new Call(caller, undefined, address === undefined ? {} : { http }));
      return true;
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.status === 429);
      return false;
    }
  };
}

test('strangers count by their address, whatever a limit says', async () => {
  for (const by of [undefined, 'address', 'client'] as const) {
    const enter = door(by);
    assert.equal(await enter(nobody, '192.0.2.1'), true);
    assert.equal(await enter(nobody, '192.0.2.1'), false, String(by));
    assert.equal(await enter(nobody, '::ffff:192.0.2.1'), false, 'the same address');
    assert.equal(await enter(nobody, '192.0.2.2'), true);
    assert.equal(await enter(nobody, '2001:db8:1:2::1'), true);
    assert.equal(await enter(nobody, '2001:db8:1:2:ffff::9'), false, 'the same network');
    assert.equal(await enter(nobody, '2001:db8:1:3::1'), true);
  }
});

test('a limit counts callers, addresses or clients', async () => {
  const byCaller = door();
  assert.equal(await byCaller(known, '192.0.2.1'), true);
  assert.equal(await byCaller(known, '192.0.2.2'), false);
  assert.equal(await byCaller({ ...known, subject: 'other' }, '192.0.2.2'), true);
  const byAddress = door('address');
  assert.equal(await byAddress(known, '192.0.2.1'), true);
  assert.equal(await byAddress({ ...known, subject: 'other' }, '192.0.2.1'), false);
  assert.equal(await byAddress(known, '192.0.2.2'), true);
  assert.equal(await byAddress(known), true, 'without an address, the caller counts');
  assert.equal(await byAddress(known), false);
  const byClient = door('client');
  assert.equal(await byClient(known), true);
  assert.equal(await byClient({ ...known, subject: 'other' }), false);
  assert.equal(await byClient({ ...known, client: 'other' }), true);
});

test('one stranger does not use up a public route for the others', async (t) => {
  let address = '192.0.2.1';
  const route: Route = { ...operation(), method: 'GET', path: '/act', responses: { 204: {} } };
  const url = await startInMemoryServer(t, {
    authenticate: (arrival) => {
      Object.assign(arrival, { address });
      return nobody;
    },
    routes: [{ route, handle: async () => ({ status: 204 }) }],
  });
  const send = async () => {
    const { statusCode, headers } = await request(new URL('/act', url));
    return { statusCode, wait: headers['retry-after'] };
  };
  assert.equal((await send()).statusCode, 204);
  const { statusCode, wait } = await send();
  assert.equal(statusCode, 429);
  assert.ok(Number(wait) > 0 && Number(wait) <= 60);
  address = '192.0.2.2';
  assert.equal((await send()).statusCode, 204);
});

test('windows end, and no more of them are kept than a bound', () => {
  let now = 0;
  const windows = new Windows(2, 1000, () => now);
  assert.equal(windows.use('a'), undefined);
  now = 400;
  assert.equal(windows.use('a'), undefined);
  assert.equal(windows.use('a'), 600);
  now = 1000;
  assert.equal(windows.use('a'), undefined);
  for (let count = 0; count < 25_000; count += 1) windows.use(`stranger ${count}`);
  assert.equal(windows.size, 10_000);
  now = 5000;
  windows.use('b');
  assert.equal(windows.size, 1);
});

test('networks of IPv6 are those that ipaddr.js sees', () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const parsed = ipaddr.IPv6.parse(text);
      if (parsed.isIPv4MappedAddress()) return;
      // What the operating system gives is written as RFC 5952 has it.
      const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
      assert.equal(addressKey(parsed.toRFC5952String()), `${network.join(':')}::/64`);
    }),
  );
});
