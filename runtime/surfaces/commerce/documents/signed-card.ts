import canonicalize from 'canonicalize';
import type { House } from '#contract/house/house';
import type { JsonObject } from '#contract/json';
import type { DetachedSignature } from '#contract/surface/document-signer';
import { signedForMs } from '../numbers.ts';

interface Signed {
  readonly text: string;
  readonly signature: DetachedSignature | undefined;
  readonly at: number;
}

/**
 * Make what signs the agent cards of tenants (A2A 1.0, section 8.4): over the canonical text of the
 * card, which has no member at its default value. A signature serves for some minutes, so that the
 * same document is the same text.
 */
export function createCardSigner({ signer, now }: Pick<House, 'signer' | 'now'>) {
  const signed = new Map<string, Signed>();
  return async (tenant: string, card: JsonObject): Promise<JsonObject> => {
    const text = canonicalize(card) ?? '';
    const last = signed.get(tenant);
    const isGood = last?.text === text && now() - last.at < signedForMs;
    const signature = isGood ? last.signature : await signer.sign(tenant, text);
    if (!isGood) signed.set(tenant, { text, signature, at: now() });
    return signature === undefined ? card : { ...card, signatures: [{ ...signature }] };
  };
}
