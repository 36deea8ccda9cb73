import assert from 'node:assert/strict';
import test from 'node:test';
import { Signer } from '../../../../runtime/audit/keys/signing-key.ts';
import {
  leafHash,
  openCheckpoint,
  parseVerifierKey,
  TreeEdge,
} from '../../../../runtime/audit/verify/verify.ts';

const signer = new Signer('tools.example.com/audit', Buffer.alloc(32, 7));
const edge = new TreeEdge();
for (const text of ['a', 'b', 'c']) edge.add(leafHash(text));
const note = signer.checkpoint(3, edge.root());

test('the checkpoint of a known log and key has its known text (C2SP tlog-checkpoint)', () => {
  assert.equal(
    note,
    `tools.example.com/audit
3
NmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=

— tools.example.com/audit 6XAa5PYFKdGsQK91O7yxXRTzoUsJ+KzDFJpoJAwDtUj0xf31El0dZbfVQOSsv5ymga3wraan1b2GvY+hmhtt9j81+gQ=
`,
  );
  assert.equal(
    signer.vkey,
    'tools.example.com/audit+e9701ae4+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs',
  );
});

test('only the own signature opens a checkpoint; unknown signature lines are ignored', () => {
  const key = parseVerifierKey(signer.vkey);
  assert.equal(openCheckpoint(note, key)?.size, 3);
  assert.equal(openCheckpoint(`${note}— witness.example.com AAAAAAAA\n`, key)?.size, 3);
  assert.equal(openCheckpoint(note.replace('\n3\n', '\n4\n'), key), undefined);
  const other = new Signer('tools.example.com/audit', Buffer.alloc(32, 8)).checkpoint(
    3,
    edge.root(),
  );
  assert.equal(openCheckpoint(other, key), undefined);
});

test('a verifier key whose id does not fit is refused (C2SP signed-note)', () => {
  assert.throws(
    () => parseVerifierKey(signer.vkey.replace('e9701ae4', 'e9701ae5')),
    /verifier key/,
  );
});
