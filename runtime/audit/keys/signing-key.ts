import { createPrivateKey, hash, type KeyObject, sign } from 'node:crypto';

/** PKCS #8 of an Ed25519 key up to its 32 bytes of seed (RFC 8410 section 7). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs checkpoints under the name of a log (C2SP signed-note, Ed25519). */
export class Signer {
  readonly vkey: string;
  readonly #origin: string;
  readonly #key: KeyObject;
  readonly #id: Buffer;

  constructor(origin: string, seed: Uint8Array) {
    const { key, id, vkey } = namedKey(origin, 1, seed);
    this.#origin = origin;
    this.#key = key;
    this.#id = id;
    this.vkey = vkey;
  }

  /** The checkpoint of `size` entries with `root`, as a signed note (C2SP tlog-checkpoint). */
  checkpoint(size: number, root: Uint8Array): string {
    const text = `${this.#origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;
    return `${text}\n${this.signatureLine(text)}`;
  }

  /** The signature of the text of a note, as a line of that note. */
  signatureLine(text: string): string {
    const signature = sign(null, Buffer.from(text), this.#key);
    return `— ${this.#origin} ${Buffer.concat([this.#id, signature]).toString('base64')}\n`;
  }
}

/** The Ed25519 key of a seed, under a name and for one type of signatures (C2SP signed-note). */
export function namedKey(name: string, type: number, seed: Uint8Array) {
  const der = Buffer.concat([pkcs8, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x = '' } = key.export({ format: 'jwk' });
  const encoded = Buffer.concat([Buffer.of(type), Buffer.from(x, 'base64url')]);
  const named = Buffer.concat([Buffer.from(`${name}\n`), encoded]);
  const id = hash('sha256', named, 'buffer').subarray(0, 4);
  return { key, id, vkey: `${name}+${id.toString('hex')}+${encoded.toString('base64')}` };
}
