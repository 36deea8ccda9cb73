import { LRUCache } from 'lru-cache';
import { domainSeparator, type Hex, recoverAddress, toHex } from 'viem';
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

/** Whose key has signed a message; nothing where nobody's has. */
export async function signerOfTyped(
  domain: Domain,
  hash: (message: Message) => Uint8Array,
  message: Message,
  signature: string,
): Promise<Hex | undefined> {
  try {
    const digest = signedDigest(separatorOf(domain), hash(message));
    return await recoverAddress({ hash: toHex(digest), signature: signature as Hex });
  } catch {
    return undefined;
  }
}

function separatorOf(domain: Domain): Hex {
  const key = JSON.stringify(domain);
  const known = separators.get(key);
  if (known !== undefined) return known;
  const separator = domainSeparator({ domain });
  separators.set(key, separator);
  return separator;
}
