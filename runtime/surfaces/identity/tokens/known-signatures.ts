import { hash, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type CompactJws, isSignedWith, readCompactJws } from './compact-jws.ts';

/** A token as it was read, which is not verified by that. */
export interface ReadToken {
  readonly jws: CompactJws;
  /** By which its signature is remembered. */
  readonly id: string;
}

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

  /** Read a token without believing it, once for as long as its signature is known. */
  read(token: string): ReadToken | undefined {
    const id = `${this.#tenant} ${hash('sha256', token, 'base64url')}`;
    const jws = this.#memory.get(id)?.jws ?? readCompactJws(token);
    return jws && { id, jws };
  }

  /** Whether the signature of a token was verified, with whatever key. */
  knows({ id }: ReadToken): boolean {
    return this.#memory.has(id);
  }

  /** Whether a token is signed with this very key; one that is, is known from then on. */
  isSigned({ id, jws }: ReadToken, key: KeyObject): boolean {
    if (this.#memory.get(id)?.key === key) return true;
    if (!isSignedWith(jws, key)) return false;
    this.#memory.set(id, { jws, key });
    return true;
  }
}
