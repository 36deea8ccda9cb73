import { hash, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type CompactJws, isSignedWith } from './compact-jws.ts';

interface Known {
  readonly jws: CompactJws;
  /** With what its signature was verified. */
  readonly key: KeyObject;
}

/** By tenant and hash of the token. */
export type SignatureMemory = LRUCache<string, Known>;

const mostKnown = 4096;

/** Make room for the assertions of all tenants that were verified lately. */
export function createSignatureMemory(): SignatureMemory {
  return new LRUCache({ max: mostKnown });
}

/**
 * Signatures of a tenant that were verified lately. Agents send one assertion again and again, and
 * its signature stays what it is; all that may change is for the caller to look at each time. Keys
 * are read anew each minute: what one of them has verified is forgotten with it.
 */
export class KnownSignatures {
  readonly #memory: SignatureMemory;
  readonly #tenant: string;

  constructor(memory: SignatureMemory, tenant: string) {
    this.#memory = memory;
    this.#tenant = tenant;
  }

  /** Look a token up, as it was read when its signature was verified. */
  find(token: string): { readonly id: string; readonly known: Known | undefined } {
    const id = `${this.#tenant} ${hash('sha256', token, 'base64url')}`;
    return { id, known: this.#memory.get(id) };
  }

  /** Whether a token is signed with this very key; one that is, is known from then on. */
  isSigned(id: string, jws: CompactJws, key: KeyObject): boolean {
    if (this.#memory.get(id)?.key === key) return true;
    if (!isSignedWith(jws, key)) return false;
    this.#memory.set(id, { jws, key });
    return true;
  }
}
