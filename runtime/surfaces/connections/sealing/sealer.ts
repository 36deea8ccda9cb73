import { hash } from 'node:crypto';
import { ServiceError } from '#contract/errors';

/** What a sealed text belongs to; with anything else it does not open. */
export interface Belonging {
  readonly tenant: string;
  /** The person. */
  readonly subject: string;
  readonly provider: string;
}

export interface Sealed {
  readonly sealed: string;
  /** Tells which key has sealed it, and shows nothing of it. */
  readonly keyId: string;
}

/** Keeps tokens from whoever can read the store but has no key of this deployment. */
export interface Sealer {
  /** Of the key that seals now, and of all that open. */
  keyIds(): { readonly current: string; readonly all: readonly string[] };
  seal(belonging: Belonging, text: string): Promise<Sealed>;
  /** @throws ServiceError with status 503 where no key opens it, or it belongs to something else */
  open(belonging: Belonging, sealed: string): Promise<string>;
}

interface RingKey {
  readonly id: string;
  readonly key: Buffer;
}

/**
 * Seal in an envelope: each text has a key of its own, which is wrapped by that of the deployment
 * (RFC 7516 with A256GCMKW and A256GCM). What it belongs to stands in the protected header, which is
 * the associated data. `keys` gives those of 32 bytes when they are first needed; the first one seals.
 */
export function createSealer(keys: () => readonly Buffer[]): Sealer {
  let known: readonly RingKey[] | undefined;
  const ring = () => {
    known ??= keys().map((key) => ({ key, id: idOf(key) }));
    return known;
  };
  const first = (): RingKey => {
    const [current] = ring();
    if (!current) throw new Error('there is no key to seal with');
    return current;
  };
  return {
    keyIds: () => ({ current: first().id, all: ring().map(({ id }) => id) }),
    async seal(belonging, text) {
      const { CompactEncrypt } = await import('jose');
      const { key, id } = first();
      const header = { alg: 'A256GCMKW', enc: 'A256GCM', kid: id, own: ownOf(belonging) } as const;
      const sealed = await new CompactEncrypt(Buffer.from(text))
        .setProtectedHeader(header)
        .encrypt(key);
      return { sealed, keyId: id };
    },
    async open(belonging, sealed) {
      const { compactDecrypt } = await import('jose');
      const options = {
        keyManagementAlgorithms: ['A256GCMKW'],
        contentEncryptionAlgorithms: ['A256GCM'],
      };
      try {
        const { plaintext, protectedHeader } = await compactDecrypt(
          sealed,
          ({ kid }: { readonly kid?: string }) => {
            const found = ring().find(({ id }) => id === kid);
            if (!found) throw new Error('no key of this server has sealed it');
            return found.key;
          },
          options,
        );
        if (protectedHeader['own'] !== ownOf(belonging)) throw new Error('it is of another row');
        return Buffer.from(plaintext).toString('utf8');
      } catch (cause) {
        const message = 'what was connected cannot be opened with the keys of this server';
        throw new ServiceError('connection_unreadable', 503, message, { cause, isLasting: true });
      }
    },
  };
}

function idOf(key: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('connections key '), key]), 'base64url').slice(
    0,
    16,
  );
}

function ownOf({ tenant, subject, provider }: Belonging): string {
  return hash('sha256', JSON.stringify([tenant, subject, provider]), 'base64url');
}
