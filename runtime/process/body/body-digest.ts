import { createHash, hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Takes note of a body while it is read. */
export interface BodyDigest {
  add(chunk: Uint8Array): void;
  /** There is no more of it; one that was cut off has no digest. */
  end(isWhole: boolean): void;
}

const digests = new WeakMap<IncomingMessage, Promise<string | undefined>>();
const ofNothing = Promise.resolve(hash('sha256', '', 'base64'));

/** Begin to take note of the body of a request; nothing where nobody will ask, as without a proof. */
export function digestBody(request: IncomingMessage): BodyDigest | undefined {
  if (request.headers['dpop'] === undefined) return undefined;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  digests.set(request, promise);
  const sum = createHash('sha256');
  return {
    add: (chunk) => void sum.update(chunk),
    end: (isWhole) => resolve(isWhole ? sum.digest('base64') : undefined),
  };
}

/** SHA-256 of the body of a request, in base64, once it has been read; nothing where it was cut off. */
export function bodyDigestOf(request: IncomingMessage): Promise<string | undefined> {
  return digests.get(request) ?? ofNothing;
}
