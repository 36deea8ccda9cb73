import assert from 'node:assert/strict';
import test from 'node:test';
import type { JsonSchema } from '#contract/json';
import { complaintOf } from './complaint.ts';

const input: JsonSchema = {
  type: 'object',
  properties: {
    bytes: { type: 'string', contentEncoding: 'base64' },
    mail: { type: 'string', format: 'email' },
  },
};

const complaint = (args: Record<string, unknown>) => complaintOf(args, input);

test('a text that is to be base64 is of letters that are', async () => {
  const line = (given: string) => `- bytes: must be base64, but ${JSON.stringify(given)} was given`;
  for (const bytes of ['%%%', 'Y', 'a b=', 'YQ===', 'YQ==YQ==', 'data:text/plain,YQ=='])
    assert.ok((await complaint({ bytes })).includes(line(bytes)), bytes);
  for (const bytes of [
    '',
    'YQ',
    'YQ==',
    'YW-_+/==',
    'YWFh\r\nYQ==\n',
    'data:image/png;base64,YQ==',
  ])
    assert.equal(await complaint({ bytes }), 'nothing', bytes);
});

test('lines without end cost no more than their letters', async () => {
  const bytes = `${'\n'.repeat(1_000_000)}!`;
  assert.match(await complaint({ bytes }), /bytes: must be base64/);
});

test('an address of mail is one by its own standard (RFC 5321)', async () => {
  for (const mail of [
    'a@b.example',
    'a.b+c@localhost',
    '"a b"@c.example',
    'a@[127.0.0.1]',
    "o'b`@c.d",
  ])
    assert.equal(await complaint({ mail }), 'nothing', mail);
  for (const mail of [
    'a',
    'a@',
    '@b',
    'a..b@c',
    'a@b..c',
    'a@-b',
    'a@b\r\nBcc: x',
    '"a\nb"@c',
    'a@[::x]',
  ])
    assert.match(await complaint({ mail }), /- mail: must be a valid email/, mail);
});
