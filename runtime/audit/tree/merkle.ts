import { half, nodeHash, type TreeHead } from '../verify/verify.ts';

/**
 * The roots of complete subtrees: that of the leaves `index * 2^height` and following, `2^height`
 * of them. Height 0 is a leaf hash.
 */
export interface TreeNodes {
  node(height: number, index: number): Uint8Array;
}

/** The root of the leaves from `start` up to `end`; `start` is a multiple of the split (RFC 6962 2.1). */
export function rangeRoot(nodes: TreeNodes, start: number, end: number): Uint8Array {
  const width = end - start;
  if (Number.isInteger(Math.log2(width))) return nodes.node(Math.log2(width), start / width);
  const middle = start + split(width);
  return nodeHash(rangeRoot(nodes, start, middle), rangeRoot(nodes, middle, end));
}

/** The hashes that lead from leaf `index` to the root of `size` leaves (RFC 6962 2.1.1). */
export function inclusionProof(nodes: TreeNodes, index: number, size: number): Uint8Array[] {
  const proof: Uint8Array[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + split(end - start);
    if (index < middle) {
      proof.push(rangeRoot(nodes, middle, end));
      end = middle;
    } else {
      proof.push(rangeRoot(nodes, start, middle));
      start = middle;
    }
  }
  return proof.reverse();
}

/** The hashes that prove the first `from` of `to` leaves to be the same tree (RFC 6962 2.1.2). */
export function consistencyProof(nodes: TreeNodes, from: number, to: number): Uint8Array[] {
  const proof: Uint8Array[] = [];
  let [start, end] = [0, to];
  while (from !== end) {
    const middle = start + split(end - start);
    if (from <= middle) {
      proof.push(rangeRoot(nodes, middle, end));
      end = middle;
    } else {
      proof.push(rangeRoot(nodes, start, middle));
      start = middle;
    }
  }
  // The old tree itself is known to whoever asks; a part of it is not.
  if (start > 0) proof.push(rangeRoot(nodes, start, end));
  return proof.reverse();
}

/** The roots of the complete subtrees of `size` leaves, from the left. */
export function rightEdge(nodes: TreeNodes, size: number): Uint8Array[] {
  const edge: Uint8Array[] = [];
  let start = 0;
  for (let width = 2 ** 52; width >= 1; width /= 2) {
    if (start + width > size) continue;
    edge.push(nodes.node(Math.log2(width), start / width));
    start += width;
  }
  return edge;
}

/** The largest power of two below `width`. */
function split(width: number): number {
  return 2 ** Math.ceil(Math.log2(width) - 1);
}

/** Whether the tree `from` is the beginning of the tree `to` (RFC 9162 2.1.4.2). */
export function verifyConsistency(
  from: TreeHead,
  to: TreeHead,
  given: readonly Uint8Array[],
): boolean {
  if (from.size === to.size) return given.length === 0 && equal(from.root, to.root);
  if (from.size <= 0 || from.size > to.size) return false;
  const proof = Number.isInteger(Math.log2(from.size)) ? [from.root, ...given] : given;
  const [first, ...rest] = proof;
  if (first === undefined || proof.some(({ length }) => length !== 32)) return false;
  let [fn, sn] = [from.size - 1, to.size - 1];
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)];
  let [fr, sr] = [first, first];
  for (const sibling of rest) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [nodeHash(sibling, fr), nodeHash(sibling, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      sr = nodeHash(sr, sibling);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && equal(fr, from.root) && equal(sr, to.root);
}

const equal = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
