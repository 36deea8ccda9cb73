import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import {
  Cosigner,
  openCosignature,
  parseWitnessKey,
} from '../../../../runtime/audit/keys/cosignature.ts';

const text =
  'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
const now = 1_679_315_147;
const witness = new Cosigner('w.example.com/witness', Buffer.alloc(32, 3));
const other = new Cosigner('w.example.com/witness', Buffer.alloc(32, 4));
const key = parseWitnessKey(witness.vkey);

test('the key id covers name, newline, 0x04 and key (C2SP tlog-cosignature, Format)', () => {
  const [name, id, encoded = ''] = witness.vkey.split('+');
  const bytes = Buffer.from(encoded, 'base64');
  const digest = createHash('sha256').update(`${name}\n`).update(bytes).digest('hex');
  assert.equal(bytes[0], 4);
  assert.equal(bytes.length, 33);
  assert.equal(id, digest.slice(0, 8));
});

test('a cosignature verifies, whatever other lines stand around it', () => {
  const line = witness.cosign(text, now);
  assert.match(line, /^— w\.example\.com\/witness [A-Za-z0-9+/]{102}==\n$/);
  const answer = `${other.cosign(text, now)}— somebody else\n\nnonsense\n${line}`;
  assert.equal(openCosignature(text, answer, key, now + 30), line);
});

const line = witness.cosign(text, now);
const changed = Buffer.from(line.split(' ')[2] ?? '', 'base64');
changed.writeBigUInt64BE(BigInt(now + 1), 4);
const refused: readonly (readonly [string, string, string, number, RegExp])[] = [
  ['of another text', text.replace('63', '64'), line, now, /no cosignature/],
  ['of another key', text, other.cosign(text, now), now, /no cosignature/],
  [
    'with another time than was signed',
    text,
    `— ${key.name} ${changed.toString('base64')}\n`,
    now,
    /no cos/,
  ],
  ['under another name', text, line.replace('w.ex', 'v.ex'), now, /no cosignature/],
  ['cut short', text, line.slice(0, -9), now, /no cosignature/],
  ['that is not there', text, '', now, /no cosignature/],
  ['of the past', text, line, now + 601, /not of now/],
  ['of the future', text, line, now - 601, /not of now/],
];
for (const [what, signed, lines, at, reason] of refused) {
  test(`a cosignature ${what} is refused`, () => {
    assert.throws(() => openCosignature(signed, lines, key, at), reason);
  });
}

test('a key of a log is no key of a witness', () => {
  const log = 'tools.example.com/audit+e9701ae4+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs';
  assert.throws(() => parseWitnessKey(log), /verifier key/);
});
