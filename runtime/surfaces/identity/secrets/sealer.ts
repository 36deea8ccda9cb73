/** Keeps text from whoever can read the store but has no key of this deployment. */
export interface Sealer {
  seal(text: string): Promise<string>;
  /** @throws Error when it was sealed with another key, or changed */
  open(sealed: string): Promise<string>;
}

/** Seal with JWE, `dir` and A256GCM (RFC 7516). `key` gives 32 bytes when it is first needed. */
export function createSealer(key: () => Buffer): Sealer {
  let known: Buffer | undefined;
  const keyOf = () => {
    known ??= key();
    return known;
  };
  return {
    async seal(text) {
      const { CompactEncrypt } = await import('jose');
      const header = { alg: 'dir', enc: 'A256GCM' } as const;
      return new CompactEncrypt(Buffer.from(text)).setProtectedHeader(header).encrypt(keyOf());
    },
    async open(sealed) {
      const { compactDecrypt } = await import('jose');
      const options = {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      };
      const { plaintext } = await compactDecrypt(sealed, keyOf(), options);
      return Buffer.from(plaintext).toString('utf8');
    },
  };
}
