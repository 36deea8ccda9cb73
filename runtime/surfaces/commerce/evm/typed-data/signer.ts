import { LRUCache } from 'lru-cache';
import { recover } from 'tiny-secp256k1';
import { domainSeparator, type Hex, keccak256 } from 'viem';
import { type Message, signedDigest } from './typed-hash.ts';

/** Where a signature is meant for. */
export interface Domain {
  readonly name: string;
  readonly version?: string;
  readonly chainId: number;
  readonly verifyingContract: Hex;
}

/** A server takes few tokens; who asks its facilitator may write any name into a domain. */
const separators = new LRUCache<string, Hex>({ max: 64 });

/** Which of the two keys that a signature could be of, by its last byte: as it is, and as of Ethereum. */
const recoveryIds: ReadonlyMap<number | undefined, 0 | 1> = new Map([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
]);

/** Whose key has signed a message, in small letters; nothing where nobody's has. */
export function signerOfTyped(
  domain: Domain,
  hash: (message: Message) => Uint8Array,
  message: Message,
  signature: string,
): Hex | undefined {
  try {
    return addressOf(signedDigest(separatorOf(domain), hash(message)), signature);
  } catch {
    return undefined;
  }
}

/** The key is found in WebAssembly: in JavaScript that alone takes more than all else before settlement. */
function addressOf(digest: Uint8Array, signature: string): Hex | undefined {
  const bytes = Buffer.from(signature.slice(2), 'hex');
  const id = recoveryIds.get(bytes[64]);
  const key = id === undefined ? null : recover(digest, bytes.subarray(0, 64), id);
  // What comes before its coordinates says how they are written.
  return key ? `0x${keccak256(key.subarray(1)).slice(-40)}` : undefined;
}

function separatorOf(domain: Domain): Hex {
  const key = JSON.stringify(domain);
  const known = separators.get(key);
  if (known !== undefined) return known;
  const separator = domainSeparator({ domain });
  separators.set(key, separator);
  return separator;
}
