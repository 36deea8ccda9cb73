import assert from 'node:assert/strict';
import test from 'node:test';
import { ConfigError } from '#contract/config';
import { requireLoopback } from '#contract/loopback';

for (const host of ['127.0.0.1', '127.1.2.3', 'localhost', '::1', '0:0:0:0:0:0:0:1', '[::1]']) {
  test(`${host} is a loopback address`, () => requireLoopback(host));
}

for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.example.org', '127.0.0.1.nip.io', '']) {
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
