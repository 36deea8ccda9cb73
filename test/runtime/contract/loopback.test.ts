import assert from 'node:assert/strict';
import test from 'node:test';
import { ConfigError } from '#contract/config/config';
import { requireLoopback } from '#contract/config/loopback';

const accepted = {
  '127.0.0.1': '127.0.0.1',
  '127.1.2.3': '127.1.2.3',
  localhost: 'localhost',
  '::1': '::1',
  '0:0:0:0:0:0:0:1': '0:0:0:0:0:0:0:1',
  '[::1]': '::1',
};
for (const [host, address] of Object.entries(accepted)) {
  test(`${host} is a loopback address`, () => assert.equal(requireLoopback(host), address));
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
  test(`${JSON.stringify(host)} is refused with the reason`, () => {
    assert.throws(
      () => requireLoopback(host),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, /HOST: expected a loopback address .* cannot tell callers/);
        return true;
      },
    );
  });
}
