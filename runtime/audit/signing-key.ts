import { createPrivateKey, hash, type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '../start-error.ts';

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
    const signature = sign(null, Buffer.from(text), this.#key);
    const line = Buffer.concat([this.#id, signature]).toString('base64');
    return `${text}\n— ${this.#origin} ${line}\n`;
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

/** Parse the 32 bytes of an Ed25519 seed, in base64. */
export function parseSeed(text: string): Buffer {
  const seed = Buffer.from(text.trim(), 'base64');
  if (
    seed.length === 32 &&
    seed.toString('base64').replace('=', '') === text.trim().replace('=', '')
  )
    return seed;
  throw new StartError(
    'the signing key of the audit log: expected 32 bytes in base64, as `openssl rand -base64 32` prints them',
  );
}

/** Read the seed at `path`; make one, readable by its owner alone, when `mayCreate`. */
export function readOrCreateSeed(path: string, mayCreate: boolean): Buffer {
  if (existsSync(path)) return parseSeed(readFileSync(path, 'utf8'));
  if (!mayCreate) {
    throw new StartError(
      `the signing key ${path} of the audit log is missing: put it back, or set SERVICE_AUDIT_KEY`,
    );
  }
  const seed = randomBytes(32);
  // Under its own name it is whole or not there: half a key would stop every later start.
  const file = openSync(`${path}.new`, 'w', 0o600);
  writeSync(file, `${seed.toString('base64')}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
  syncFolder(dirname(path));
  return seed;
}

/** Flush the names in a folder, without which a new file may be gone after a power loss. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
