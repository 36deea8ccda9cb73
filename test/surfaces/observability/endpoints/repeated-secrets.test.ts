import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { createProviderClient } from '../../../../runtime/surfaces/observability/endpoints/back-ends.ts';
import { saidByBackEnd } from '../../../../runtime/surfaces/observability/query/answers/said-by-back-end.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';

/** What a back end says, and what must be left of it. */
const said: readonly (readonly [string, string])[] = [
  ['near password=hunter2, line 1', 'near password=…, line 1'],
  ['{"api_key":"k-12345678","secret":"s3cr3t"}', '{"api_key":"…","secret":"…"}'],
  [
    String.raw`body {\"clientSecret\":\"k-1\",\"a\":1}`,
    String.raw`body {\"clientSecret\":\"…\",\"a\":1}`,
  ],
  ["db_password: 'two words' is wrong", "db_password: '…' is wrong"],
  ['sent Basic dXNlcjpwYXNz to it', 'sent Basic … to it'],
  ['Authorization: Basic abcdef and more', 'Authorization: … and more'],
  ['Set-Cookie: sid=abcdef0123456789; Path=/\nnext', 'Set-Cookie: … next'],
  ['X-Api-Key: abcdef123456', 'X-Api-Key: …'],
  ['at <html>pw=hunter2</html>', 'at <html>pw=…</html>'],
  ['postgres://u:hunter2@db/x', 'postgres://…@db/x'],
  ['AKIAIOSFODNN7EXAMPLE', '…'],
  // What is wrong with a query stays readable.
  [
    'parse error at line 1, col 8: syntax error: unexpected IDENTIFIER, expecting "="',
    'parse error at line 1, col 8: syntax error: unexpected IDENTIFIER, expecting "="',
  ],
  ['basic authentication is off; {app="shop"}', 'basic authentication is off; {app="shop"}'],
  ['1:5: parse error: no arguments for rate()', '1:5: parse error: no arguments for rate()'],
];

for (const [text, left] of said) {
  test(`of what a back end says, no secret is told on: ${JSON.stringify(text)}`, () => {
    assert.equal(saidByBackEnd(text, 300), left);
  });
}

test('a secret is taken out before a text is cut', () => {
  const token = `${'Ab1'.repeat(6)}.${'Ab1'.repeat(6)}.${'Ab1'.repeat(6)}`;
  for (let before = 240; before <= 300; before++) {
    const text = `${'a '.repeat(before / 2)}eyJ${token} rest`;
    assert.ok(!saidByBackEnd(text, 300).includes('eyJ'), String(before));
  }
  // However much is said: what is not looked at is not told on either.
  assert.equal(saidByBackEnd(`pw=x ${'y'.repeat(10)} `.repeat(10_000), 40).includes('pw=x'), false);
});

test('no answer repeats the credential that it was asked with', async (t) => {
  const secretsDir = temporaryDirectory(t);
  const pair = Buffer.from('user:pass/word "1"').toString('base64');
  const secrets = { bearer: 'tok+/secret-777', basic: pair, header: 'ApiKey abc-def-ghi' };
  const spelled = (text: string) => [
    text,
    Buffer.from(text).toString('base64'),
    Buffer.from(text).toString('base64url'),
    encodeURIComponent(text),
    JSON.stringify(text),
  ];
  let answer = '';
  const backEnds = {
    check: async () => {},
    tlsFaults: async () => [],
    close: async () => {},
    fetch: async () => ({ status: 200, headers: {}, body: Buffer.from(answer) }),
  };
  const client = createProviderClient(backEnds, { prefixes: [], secretsDir }, () => undefined);
  for (const [type, secret] of Object.entries(secrets)) {
    writeFileSync(join(secretsDir, type), secret);
    const inner = { bearer: secret, basic: 'pass/word "1"', header: 'abc-def-ghi' }[type] ?? '';
    for (const shown of [...spelled(secret), ...spelled(inner)]) {
      answer = `{"a":1,"message":"near x${shown}y"}`;
      const { body } = await client.fetch(
        {
          ...{ tenant: 'default', endpoint: 'http://a', tls: {} },
          auth: { type: type as 'bearer', secretRef: type, header: 'x-api-key' },
        },
        { path: '/', maxBytes: 1000 },
      );
      const text = Buffer.from(body).toString();
      assert.match(text, /^\{"a":1,"message":"near x"?….*y"\}$/, `${type} ${shown}`);
      assert.ok(!text.includes(shown.replaceAll('"', '')), `${type} ${shown}`);
    }
  }
});
