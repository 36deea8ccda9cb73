import { type KeyObject, sign, verify } from 'node:crypto';
import { parseTypedKey, type VerifierKey } from '../verify/verify.ts';
import { namedKey } from './signing-key.ts';

/** Algorithm byte of an Ed25519 cosignature (C2SP tlog-cosignature, Format). */
const cosignatureType = 4;
/** How far the clocks of a log and its witness may be apart. */
const mostSkewSeconds = 600;

/** Parse the verifier key of a witness: `name+id+base64(0x04 || key)`. */
export function parseWitnessKey(text: string): VerifierKey {
  return parseTypedKey(text, cosignatureType);
}

/** Cosigns the checkpoints of other logs under the name of a witness. */
export class Cosigner {
  readonly vkey: string;
  readonly #name: string;
  readonly #key: KeyObject;
  readonly #id: Uint8Array;

  constructor(name: string, seed: Uint8Array) {
    const { key, id, vkey } = namedKey(name, cosignatureType, seed);
    this.#name = name;
    this.#key = key;
    this.#id = id;
    this.vkey = vkey;
  }

  /** The signature line for the checkpoint with this text (C2SP tlog-cosignature). */
  cosign(text: string, seconds: number): string {
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(seconds));
    const signature = sign(null, message(text, BigInt(seconds)), this.#key);
    const line = Buffer.concat([this.#id, time, signature]).toString('base64');
    return `— ${this.#name} ${line}\n`;
  }
}

/**
 * Find, in the answer of a witness, its cosignature of the checkpoint with this text. Lines of other
 * keys are ignored.
 *
 * @throws Error when there is none that verifies, or its time is not that of now
 */
export function openCosignature(
  text: string,
  lines: string,
  key: VerifierKey,
  nowSeconds: number,
): string {
  for (const line of lines.split('\n')) {
    const [dash, name, encoded = '', ...rest] = line.split(' ');
    const bytes = Buffer.from(encoded, 'base64');
    const named = dash === '—' && name === key.name && rest.length === 0;
    if (!named || bytes.length !== 76 || !key.id.equals(bytes.subarray(0, 4))) continue;
    const time = bytes.readBigUInt64BE(4);
    if (!verify(null, message(text, time), key.key, bytes.subarray(12))) continue;
    if (Math.abs(Number(time) - nowSeconds) > mostSkewSeconds) {
      const apart = `${time}, and here it is ${nowSeconds}`;
      throw new Error(`the cosignature of ${key.name} is not of now: its time is ${apart}`);
    }
    return `— ${name} ${bytes.toString('base64')}\n`;
  }
  throw new Error(`the answer holds no cosignature that the key of ${key.name} verifies`);
}

/** What is signed (C2SP tlog-cosignature, Ed25519 signed message). */
function message(text: string, time: bigint): Buffer {
  return Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
}
