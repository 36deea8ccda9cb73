import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import {
  consistencyProof,
  inclusionProof,
  rangeRoot,
  rightEdge,
  verifyConsistency,
} from '../../../../runtime/audit/tree/merkle.ts';
import { leafHash, TreeEdge } from '../../../../runtime/audit/verify/verify.ts';
import { verifyInclusion } from '../../../../runtime/audit/verify/verify-files.ts';

const sizes = 300;
const leaves = Array.from({ length: sizes }, (_, index) => leafHash(`entry ${index}`));

/** The definitions of RFC 6962 2.1, word by word. */
const sha256 = (...parts: Uint8Array[]) => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};
const splitOf = (n: number) => {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
};
const known = new Map<string, Uint8Array>();
function rootOf(list: readonly Uint8Array[], start = 0): Uint8Array {
  const key = `${start}+${list.length}`;
  const found = known.get(key) ?? computeRoot(list, start);
  known.set(key, found);
  return found;
}
function computeRoot(list: readonly Uint8Array[], start: number): Uint8Array {
  const [only] = list;
  if (only === undefined) return sha256();
  if (list.length === 1) return only;
  const k = splitOf(list.length);
  return sha256(Buffer.of(1), rootOf(list.slice(0, k), start), rootOf(list.slice(k), start + k));
}
function pathOf(m: number, list: readonly Uint8Array[], start = 0): Uint8Array[] {
  if (list.length === 1) return [];
  const k = splitOf(list.length);
  if (m < k) return [...pathOf(m, list.slice(0, k), start), rootOf(list.slice(k), start + k)];
  return [...pathOf(m - k, list.slice(k), start + k), rootOf(list.slice(0, k), start)];
}
function subproof(
  m: number,
  list: readonly Uint8Array[],
  start: number,
  flag: boolean,
): Uint8Array[] {
  if (m === list.length) return flag ? [] : [rootOf(list, start)];
  const k = splitOf(list.length);
  if (m <= k) {
    return [...subproof(m, list.slice(0, k), start, flag), rootOf(list.slice(k), start + k)];
  }
  return [...subproof(m - k, list.slice(k), start + k, false), rootOf(list.slice(0, k), start)];
}

const nodes = {
  node(height: number, index: number) {
    const start = index * 2 ** height;
    return rootOf(leaves.slice(start, start + 2 ** height), start);
  },
};

const hex = (hashes: readonly Uint8Array[]) =>
  hashes.map((hash) => Buffer.from(hash).toString('hex'));

test('the hashes of RFC 6962 2.1 have their known values', () => {
  const edge = new TreeEdge();
  assert.equal(
    Buffer.from(edge.root()).toString('hex'),
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
  const a = leafHash('a');
  assert.equal(
    a.toString('hex'),
    '022a6979e6dab7aa5ae4c3e5e45f7e977112a7e63593820dbec1ec738a24f93c',
  );
  for (const text of ['a', 'b', 'c']) edge.add(leafHash(text));
  assert.equal(
    Buffer.from(edge.root()).toString('hex'),
    '36642e73c2540ab121e3a6bf9545b0a24982cd830eb13d3cd19de3ce6c021ec1',
  );
});

test(`roots and right edges are those of the definition, for every size to ${sizes} (RFC 6962 2.1)`, () => {
  const edge = new TreeEdge();
  for (let size = 1; size <= sizes; size++) {
    edge.add(leaves[size - 1] ?? Buffer.alloc(0));
    const expected = hex([rootOf(leaves.slice(0, size))]);
    assert.deepEqual(hex([edge.root()]), expected);
    assert.deepEqual(hex([rangeRoot(nodes, 0, size)]), expected);
    assert.deepEqual(hex(edge.stack), hex(rightEdge(nodes, size)));
  }
});

test(`every inclusion proof to size ${sizes} is that of RFC 6962 2.1.1 and verifies`, () => {
  for (let size = 1; size <= sizes; size++) {
    const root = rootOf(leaves.slice(0, size));
    for (let index = 0; index < size; index += size > 64 ? 7 : 1) {
      const proof = inclusionProof(nodes, index, size);
      assert.deepEqual(hex(proof), hex(pathOf(index, leaves.slice(0, size))));
      const leaf = leaves[index] ?? Buffer.alloc(0);
      assert.ok(verifyInclusion(leaf, index, { size, root }, proof));
      assert.ok(!verifyInclusion(leaf, index + 1, { size, root }, proof));
      for (const altered of alterations(proof)) {
        assert.ok(!verifyInclusion(leaf, index, { size, root }, altered), `${index} of ${size}`);
      }
    }
  }
});

test(`every consistency proof to size ${sizes} is that of RFC 6962 2.1.2 and verifies`, () => {
  for (let to = 1; to <= sizes; to++) {
    const newer = { size: to, root: rootOf(leaves.slice(0, to)) };
    for (let from = 1; from <= to; from += to > 64 ? 5 : 1) {
      const older = { size: from, root: rootOf(leaves.slice(0, from)) };
      const proof = consistencyProof(nodes, from, to);
      assert.deepEqual(hex(proof), hex(subproof(from, leaves.slice(0, to), 0, true)));
      assert.ok(verifyConsistency(older, newer, proof), `${from} to ${to}`);
      for (const altered of alterations(proof)) {
        assert.ok(!verifyConsistency(older, newer, altered), `${from} to ${to}`);
      }
      const forged = { size: from, root: sha256(older.root) };
      assert.ok(!verifyConsistency(forged, newer, proof));
    }
  }
});

/** One bit flipped in the middle, one hash too many, one too few. */
function alterations(proof: readonly Uint8Array[]): Uint8Array[][] {
  const longer = [...proof, Buffer.alloc(32, 1)];
  const [first, ...rest] = proof;
  if (first === undefined) return [longer];
  const flipped = Buffer.from(first);
  flipped[7] = (flipped[7] ?? 0) ^ 4;
  return [longer, rest, [flipped, ...rest]];
}
