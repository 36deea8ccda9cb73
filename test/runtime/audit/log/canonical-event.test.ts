import assert from 'node:assert/strict';
import test from 'node:test';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { ServiceError } from '#contract/errors';
import type { AuditEvent } from '#contract/house/audit';
import { renderEvent } from '../../../../runtime/audit/log/canonical-event.ts';
import { parseCanonical } from '../../../../runtime/audit/verify/verify.ts';
import { anyCharacter } from '../../../any-character.ts';
import { note, openLog, temporaryFolder } from '../audit-note.ts';

const text = fc.string({ unit: anyCharacter, maxLength: 12 });
const payload = fc.letrec((tie) => ({
  value: fc.oneof(
    text,
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(fc.oneof(text, fc.nat().map(String)), tie('value'), { maxKeys: 5 }),
})).object;

test('what is rendered is what RFC 8785 says, and reads back the same', () => {
  fc.assert(
    fc.property(payload, (members) => {
      const event = note(1, { payload: members as AuditEvent['payload'] });
      const rendered = render(event);
      if (rendered === undefined) return;
      assert.equal(rendered, canonicalize(event));
      assert.deepEqual(parseCanonical(rendered), JSON.parse(JSON.stringify(event)));
    }),
    { numRuns: 2000 },
  );
});

/** `undefined` where chance has made a forbidden name or text. */
function render(event: AuditEvent): string | undefined {
  try {
    return `{${renderEvent(event, 300).join(',')}}`;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

const refused: Readonly<Record<string, readonly [field: string, changes: object]>> = {
  'a float': ['payload.amount', { payload: { amount: 1.5 } }],
  'a number beyond 2^53 - 1': ['payload.list[1]', { payload: { list: [1, 2 ** 53] } }],
  'an unknown field': ['colour', { colour: 'red' }],
  'an unknown field of the actor': [
    'actor.mood',
    { actor: { type: 'agent', id: 'a', mood: 'bad' } },
  ],
  'a missing summary': ['summary', { summary: undefined }],
  'two lines of summary': ['summary', { summary: 'a\nb' }],
  'a lone surrogate': ['payload.text', { payload: { text: 'a\ud800' } }],
  'a lone surrogate in a name': ['payload', { payload: { 'a\ud800': 1 } }],
  'a date object': ['payload.at', { payload: { at: new Date(0) } }],
  'an unknown outcome': ['outcome', { outcome: 'perhaps' }],
  'an unknown category': ['category', { category: 'gossip' }],
  'an action in lower case': ['action', { action: 'note' }],
  'a short digest': ['payload_sha256', { payload_sha256: 'abc' }],
  'a reserved name': ['payload.clock_skew_ms', { payload: { clock_skew_ms: 1 } }],
  'too many bytes': ['payload', { payload: { text: 'x'.repeat(65_200) } }],
  'a bearer token': ['payload.note', { payload: { note: 'Bearer 0123456789abcdef0123' } }],
  'a JSON Web Token': ['summary', { summary: 'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.x' }],
  'a secret by its name': ['payload.api_key', { payload: { api_key: 'x' } }],
  'an access key by its name': ['payload.accessKeyId', { payload: { accessKeyId: 'x' } }],
  'a secret number by its name': ['payload.cvc', { payload: { cvc: 123 } }],
  'an e-mail address': ['actor.id', { actor: { type: 'user', id: 'ann@example.com' } }],
  'a card number': ['payload.text', { payload: { text: 'paid with 4242 4242 4242 4242' } }],
  'a private key': ['payload.text', { payload: { text: '-----BEGIN PRIVATE KEY-----' } }],
  'a password in a URL': ['subject', { subject: 'postgres://ann:pw@db/x' }],
};

for (const [what, [field, changes]] of Object.entries(refused)) {
  test(`${what} is refused, and the field is named`, () => {
    const event = { ...note(1), ...changes } as AuditEvent;
    assert.throws(
      () => renderEvent(event, 300),
      (error) =>
        error instanceof ServiceError &&
        error.code === 'audit_invalid_event' &&
        error.status === 400 &&
        String(error.detail['field']).startsWith(field),
    );
  });
}

test('that there is a secret, or none, may be told', () => {
  const payload = { has_password: true, needs_api_key: false, token: null, key_id: '7' };
  assert.ok(renderEvent(note(1, { payload }), 300).join().includes('"has_password":true'));
});

test('nothing of a refused event is written', async (t) => {
  const log = await openLog(t, temporaryFolder(t));
  await assert.rejects(log.append(note(1, { payload: { amount: 0.1 } })), /payload.amount/);
  assert.equal((await log.append(note(2))).seq, 1);
});

test('the longest event fits into an entry of tlog-tiles', async (t) => {
  let now = 1_000_000_030_000;
  const log = await openLog(t, temporaryFolder(t), { clock: { now: () => now } });
  await log.append(note(1));
  now -= 30_000;
  const receipt = await log.append(note(1, { payload: { text: 'x'.repeat(64_800) } }));
  const record = await log.entry(receipt.seq);
  assert.ok(record && record.entry.payload['clock_skew_ms'] === 30_000);
  assert.ok(Buffer.byteLength(record.canonical) <= 65_535);
  await assert.rejects(log.append(note(1, { payload: { text: 'x'.repeat(65_100) } })), /65535/);
});
