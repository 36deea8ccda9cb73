import type { JsonObject } from '../json.ts';

/** A signature whose payload travels by itself (RFC 7515 section 7.2.2, appendix F); both in base64url. */
export interface DetachedSignature {
  readonly protected: string;
  readonly signature: string;
}

/** What stands in the head of a signature where its standard wants it to differ. */
export interface SignatureHead {
  readonly typ?: string;
  /** Makes of the id of a key what names it; then nothing says where the keys are published. */
  readonly nameKey?: (kid: string) => string;
}

/** Signs documents with a key that the server publishes. */
export interface DocumentSigner {
  /** Sign a text for a tenant with ES256; nothing comes back where this server has no keys. */
  sign(
    tenant: string,
    payload: string,
    head?: SignatureHead,
  ): Promise<DetachedSignature | undefined>;
  /** The public keys of a tenant (RFC 7517); none where this server has none. */
  keys(tenant: string): Promise<readonly JsonObject[]>;
}
