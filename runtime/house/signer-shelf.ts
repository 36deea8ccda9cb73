import type { JsonObject } from '#contract/json';
import type {
  DetachedSignature,
  DocumentSigner,
  SignatureHead,
} from '#contract/surface/document-signer';

/** What signs documents for the surfaces, which are made before it; nothing is signed before it is filled. */
export class SignerShelf implements DocumentSigner {
  #signer: DocumentSigner | undefined;

  fill(signer: DocumentSigner | undefined): void {
    this.#signer = signer;
  }

  async sign(
    tenant: string,
    payload: string,
    head?: SignatureHead,
  ): Promise<DetachedSignature | undefined> {
    return this.#signer?.sign(tenant, payload, head);
  }

  async keys(tenant: string): Promise<readonly JsonObject[]> {
    return this.#signer?.keys(tenant) ?? [];
  }
}
