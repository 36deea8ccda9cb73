import assert from 'node:assert/strict';
import test from 'node:test';
import { bindable, isLoopback } from '#contract/config/loopback';

for (const [host, address] of [
  ['127.0.0.1', '127.0.0.1'],
  ['127.8.9.10', '127.8.9.10'],
  ['0:0:0:0:0:0:0:1', '0:0:0:0:0:0:0:1'],
  ['::1', '::1'],
  ['[::1]', '::1'],
  ['localhost', 'localhost'],
  ['LocalHost', 'LocalHost'],
] as const) {
  test(`${host} is a loopback address`, () => {
    assert.equal(isLoopback(host), true);
    assert.equal(bindable(host), address);
  });
}

for (const host of [
  '0.0.0.0',
  '::',
  '10.0.0.1',
  '127.999.999.999',
  '127.1',
  '0:0:1',
  '[127.0.0.1]',
  '[::1',
  'localhost.example.org',
  '127.0.0.1.nip.io',
  '',
]) {
  test(`${JSON.stringify(host)} is no loopback address`, () => {
    assert.equal(isLoopback(host), false);
  });
}

for (const host of [
  '127.999.999.999',
  '127.1',
  '0:0:1',
  '[127.0.0.1]',
  '[::1',
  'localhost:8080',
  '',
]) {
  test(`${JSON.stringify(host)} is nothing to bind to`, () => {
    assert.throws(() => bindable(host), /HOST: expected a host name or an IP address/);
  });
}
