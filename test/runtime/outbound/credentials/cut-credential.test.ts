import assert from 'node:assert/strict';
import test from 'node:test';
import {
  createMask,
  createScrub,
  maskedValue,
} from '../../../../runtime/outbound/credentials/scrub.ts';
import { callContext, caller } from '../harness.ts';
import { startUpstream } from '../upstream.ts';
import { bearer } from './schemes.ts';

const secret = 'Qk7_0123456789abcdefXYZ';
const least = 4;
const filler = (length: number) => '.'.repeat(length);

/** The longest part of the secret, from its beginning, that a text shows. */
function shown(text: string): string {
  for (let length = secret.length; length >= least; length -= 1) {
    const part = secret.slice(0, length);
    if (text.includes(part)) return part;
  }
  return '';
}

const html = (text: string) => `<html><title>${text}</title></html>`;
/** Answers that are cut, and where about. */
const answers: readonly (readonly [string, number, string, (text: string) => string, number])[] = [
  ['data', 200, 'application/json', (text) => JSON.stringify({ note: text }), 1000],
  ['a text', 200, 'text/plain', (text) => text, 1000],
  ['a page that says no', 500, 'text/html', html, 200],
  ['data that says no', 400, 'application/json', (text) => JSON.stringify({ message: text }), 500],
];

for (const [what, status, type, wrap, cutAt] of answers) {
  test(`a credential in ${what} that is cut in its middle is not shown either`, async (t) => {
    let said = '';
    const { url } = await startUpstream(t, (response) =>
      response.writeHead(status, { 'content-type': type }).end(wrap(said)),
    );
    const { call } = caller(t, url, {
      provider: { auth: [bearer] },
      tool: { response: { maxBytes: 1000, ...(type === 'text/plain' && { decode: 'text' }) } },
      options: { env: { ACME_TOKEN: secret } },
    });
    for (let before = cutAt - 80; before <= cutAt + 20; before += 1) {
      said = `${filler(before)}${secret}${filler(2000)}`;
      const told = await call({}, callContext()).catch((error: unknown) => error);
      const text = JSON.stringify([told, told instanceof Error && told.message]);
      assert.equal(shown(text), '', `after ${before} characters`);
      if (status === 200) assert.match(text, /truncated/);
    }
  });
}

test('what is left of a secret in a part of a text is masked at both of its ends', () => {
  for (const hide of [createMask([secret]), createScrub([secret], [])]) {
    for (let length = 8; length < secret.length; length += 1) {
      assert.equal(hide(`ends with ${secret.slice(0, length)}`), 'ends with [redacted]');
      assert.equal(hide(`${secret.slice(-length)} begins it`), '[redacted] begins it');
    }
    for (let length = least; length < secret.length; length += 1)
      assert.equal(hide(`was cut: ${secret.slice(0, length)}\u2026`), 'was cut: [redacted]\u2026');
    for (const plain of [
      'Qk7',
      'so Qk7\u2026',
      'XYZ is no part',
      'Qk7_0123 in its middle',
      '\u2026',
      '',
    ])
      assert.equal(hide(plain), plain);
  }
});

test('the user before a password, and the word before a key, stand in answers as they are', () => {
  const pair = `jane.doe@example.com:${secret}`;
  const encoded = Buffer.from(pair).toString('base64');
  const secrets = [`Basic ${encoded}`, pair, encoded, secret, `Apikey-v2 ${secret}`];
  for (const hide of [createMask(secrets), createScrub(secrets, [])]) {
    for (const plain of [
      'jane.doe@example.com',
      'by jane.doe\u2026',
      'write Apikey-v2',
      'Basi\u2026',
    ])
      assert.equal(hide(plain), plain);
    assert.equal(hide(`${pair}.`), '[redacted].');
    assert.equal(hide(pair.slice(0, -4)), 'jane.doe@example.com:[redacted]');
    assert.equal(hide(encoded.slice(0, -4)), '[redacted]');
  }
});

test('what tells whose or of which kind a key is stands in answers as it is', () => {
  const rest = 'AAHdqTcvCH1vGWJxfSeofSAs0K5';
  for (const label of ['110201543:', '1234567890123456|', 'github_pat_', 'acme-production-']) {
    const name = label.replace(/[:|_-]$/, '');
    const key = `${label}${rest}`;
    for (const hide of [createMask([key]), createScrub([key], [])]) {
      for (const plain of [name, `it is ${name}`, `begins with ${label}`, `${name} is it`])
        assert.equal(hide(plain), plain);
      assert.equal(hide(`${key}.`), '[redacted].');
      assert.equal(hide(`cut: ${key.slice(0, -4)}`), `cut: ${label}[redacted]`);
      assert.equal(hide(`cut: ${label}${rest.slice(0, 4)}\u2026`), `cut: ${label}[redacted]\u2026`);
    }
  }
  const id = 110_201_543;
  assert.deepEqual(maskedValue({ id }, createMask([`${id}:${rest}`])), { id });
  // A mail address that is sent beside a key.
  for (const hide of [createMask(['jane@example.com']), createScrub(['jane@example.com'], [])]) {
    assert.equal(hide('example.com is active'), 'example.com is active');
    assert.equal(hide('of jane@example.com.'), 'of [redacted].');
  }
});
