import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import test from 'node:test';
import { createOriginChecks } from '../../../runtime/http/origin-check.ts';

/** Both questions, as they are asked of everything that no other origin may use. */
function createOriginCheck(bound: string, baseUrl: string | undefined) {
  const { host, origin } = createOriginChecks(bound, baseUrl);
  return (headers: IncomingHttpHeaders) => host(headers) ?? origin(headers);
}

const check = createOriginCheck('127.0.0.1', 'https://tools.example.dev:8443/base');

const allowed = [
  { host: 'tools.example.dev:8443' },
  { host: 'tools.example.dev' },
  { host: '127.0.0.1:8080', origin: 'https://tools.example.dev:8443' },
  { host: 'localhost', origin: 'http://127.0.0.1' },
];
for (const headers of allowed) {
  test(`${JSON.stringify(headers)} passes with a base URL`, () => {
    assert.equal(check(headers), undefined);
  });
}

const refused = [
  {},
  { host: '' },
  { host: 'example.dev' },
  { host: 'tools.example.dev:8443:1' },
  { host: '127.0.0.1', origin: 'https://tools.example.dev' },
  { host: '127.0.0.1', origin: 'http://tools.example.dev:8443' },
  { host: '127.0.0.1', origin: 'file://' },
  { host: '127.0.0.1', origin: '' },
];
for (const headers of refused) {
  test(`${JSON.stringify(headers)} does not pass with a base URL`, () => {
    assert.equal(typeof check(headers), 'string');
  });
}

for (const [host, name] of [
  ['127.0.0.2', '127.0.0.2'],
  ['0:0:0:0:0:0:0:1', '[::1]'],
  ['::ffff:127.0.0.1', '[::ffff:7f00:1]'],
] as const) {
  test(`bound to ${host}, the server is called ${name}`, () => {
    const bound = createOriginCheck(host, undefined);
    assert.equal(bound({ host: `${name}:8080`, origin: `http://${name}:8080` }), undefined);
    assert.equal(typeof bound({ host: '127.0.0.3:8080' }), 'string');
  });
}
