import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import test from 'node:test';
import { clientAddressBy, type ProxySettings } from '../../../runtime/admission/client-address.ts';

function seenBy(settings: ProxySettings, peer: string, headers: Record<string, string> = {}) {
  const request = { socket: { remoteAddress: peer }, headers };
  return clientAddressBy(settings)(request as unknown as IncomingMessage);
}

const behind = { trustedProxies: ['10.0.0.0/8', '127.0.0.1', 'fd00::/8'] };

test('without trusted proxies nothing that a client writes counts', () => {
  const told = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' };
  assert.equal(seenBy({}, '198.51.100.7', told), '198.51.100.7');
  assert.equal(seenBy(behind, '198.51.100.7', told), '198.51.100.7', 'the peer is no proxy');
  assert.equal(seenBy(behind, '127.0.0.1'), '127.0.0.1');
});

test('of X-Forwarded-For the last address counts that is no proxy, whatever stands before it', () => {
  for (const [told, wanted] of [
    ['203.0.113.9', '203.0.113.9'],
    ['6.6.6.6, 203.0.113.9', '203.0.113.9'],
    ['6.6.6.6,203.0.113.9 , 10.1.2.3', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:443, fd00::2', '2001:db8::1'],
    ['10.9.9.9, 10.1.2.3', '10.9.9.9'],
    ['203.0.113.9, nonsense', '127.0.0.1'],
    ['203.0.113.9, unknown, 10.1.2.3', '10.1.2.3'],
    ['', '127.0.0.1'],
  ] as const) {
    assert.equal(seenBy(behind, '127.0.0.1', { 'x-forwarded-for': told }), wanted, told);
  }
  assert.equal(seenBy(behind, '::ffff:10.0.0.1', { 'x-forwarded-for': '1.2.3.4' }), '1.2.3.4');
});

test('a header that nobody was told to read says nothing', () => {
  const both = {
    'x-forwarded-for': '6.6.6.6',
    forwarded: 'for=192.0.2.1;proto=https, For="[2001:db8::5]:80";by=10.1.2.3, for=10.0.0.2',
  };
  const settings = { ...behind, proxyHeader: 'forwarded' } as const;
  assert.equal(seenBy(settings, '127.0.0.1', both), '2001:db8::5');
  assert.equal(seenBy(settings, '127.0.0.1', { 'x-forwarded-for': '6.6.6.6' }), '127.0.0.1');
  assert.equal(seenBy(settings, '127.0.0.1', { forwarded: 'for=_hidden' }), '127.0.0.1');
  assert.equal(seenBy(behind, '127.0.0.1', both), '6.6.6.6');
});

test('a header without end costs no time', () => {
  const told = Array.from({ length: 5000 }, () => '10.0.0.1').join(',');
  assert.equal(seenBy(behind, '10.0.0.9', { 'x-forwarded-for': `1.2.3.4,${told}` }), '10.0.0.1');
});
