import { createHash } from 'node:crypto';
import type { AnchoredLog } from '../../../../runtime/audit/anchors/anchor.ts';
import { Signer } from '../../../../runtime/audit/keys/signing-key.ts';
import {
  consistencyProof,
  rangeRoot,
  type TreeNodes,
} from '../../../../runtime/audit/tree/merkle.ts';

export const origin = 'tools.example.com/audit';

/** A tree of made-up leaves: those from `forkedAt` on are not those of other trees. */
export function madeUpTree(seed = 'a', forkedAt = Number.POSITIVE_INFINITY): TreeNodes {
  const known = new Map<string, Uint8Array>();
  function node(height: number, index: number): Uint8Array {
    const key = `${height}/${index}`;
    const found = known.get(key) ?? compute(height, index);
    known.set(key, found);
    return found;
  }
  function compute(height: number, index: number): Uint8Array {
    const hash = createHash('sha256').update(Buffer.of(height === 0 ? 0 : 1));
    if (height === 0) return hash.update(`${index < forkedAt ? 'a' : seed}${index}`).digest();
    return hash
      .update(node(height - 1, index * 2))
      .update(node(height - 1, index * 2 + 1))
      .digest();
  }
  return { node };
}

/** A log of made-up entries. */
export class MadeUpLog {
  readonly vkey: string;
  readonly nodes: TreeNodes;
  readonly #signer: Signer;

  constructor(nodes = madeUpTree(), { name = origin, key = 7 } = {}) {
    this.nodes = nodes;
    this.#signer = new Signer(name, Buffer.alloc(32, key));
    this.vkey = this.#signer.vkey;
  }

  checkpoint(size: number) {
    const root = size === 0 ? createHash('sha256').digest() : rangeRoot(this.nodes, 0, size);
    const note = this.#signer.checkpoint(size, root);
    return { size, root: Buffer.from(root).toString('base64'), note };
  }

  proof(from: number, to: number): string[] {
    if (from === 0 || from === to) return [];
    return consistencyProof(this.nodes, from, to).map((h) => Buffer.from(h).toString('base64'));
  }

  /** The body of add-checkpoint. */
  body(from: number, to: number, proof = this.proof(from, to)): string {
    const hashes = proof.map((hash) => `${hash}\n`).join('');
    return `old ${from}\n${hashes}\n${this.checkpoint(to).note}`;
  }

  /** What a witness' client reads of a log with `size` entries. */
  reads(size: number): AnchoredLog {
    return {
      origin,
      tile: async () => undefined,
      entriesBundle: async () => undefined,
      keys: [],
      proof: async () => undefined,
      consistency: async (from, to) => (to > size ? undefined : this.proof(from, to)),
    };
  }
}
