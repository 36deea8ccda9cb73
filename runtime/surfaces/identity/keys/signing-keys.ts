import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { JWK } from 'jose';
import type { SigningKeyRecords, SigningKeyRow } from '../records/signing-keys.ts';
import type { Sealer } from '../secrets/sealer.ts';
import { isSettled, planKeys } from './key-plan.ts';

/** A key that verifies what was signed with it. */
export interface VerificationKey {
  readonly kid: string;
  readonly alg: string;
  readonly key: KeyObject;
  /** As it is published. */
  readonly public: JWK;
}

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly key: KeyObject;
}

interface KeyParts {
  readonly records: SigningKeyRecords;
  readonly sealer: Sealer;
  readonly now: () => number;
  /** Told of each change that this process makes. */
  readonly onChange: (kid: string, state: SigningKeyRow['state']) => Promise<void>;
}

/** Keys are read again when they are older than this. */
const freshMs = 60_000;
/** An unknown key id makes the keys be read again, but not more often than this. */
const leastBetweenMs = 1000;

interface Known {
  readonly readAt: number;
  readonly signing: SigningKey;
  readonly byId: ReadonlyMap<string, VerificationKey>;
}

/** The keys of this server, in the store: every replica signs with the same one. */
export class SigningKeys {
  readonly #parts: KeyParts;
  #known: Known | undefined;
  #reading: Promise<Known> | undefined;

  constructor(parts: KeyParts) {
    this.#parts = parts;
  }

  /** The key that signs now. */
  async current(): Promise<SigningKey> {
    return (await this.#fresh()).signing;
  }

  /** The key of this id, also one that another replica has just made. */
  async find(kid: string): Promise<VerificationKey | undefined> {
    const known = await this.#fresh();
    const found = known.byId.get(kid);
    if (found || this.#parts.now() - known.readAt < leastBetweenMs) return found;
    return (await this.#read()).byId.get(kid);
  }

  /** The key set as it is published (RFC 7517 section 5). */
  async published(): Promise<readonly JWK[]> {
    return [...(await this.#fresh()).byId.values()].map((each) => each.public);
  }

  /** Make, use and retire keys as their times demand. */
  async rotate(): Promise<void> {
    const { records, sealer, now, onChange } = this.#parts;
    if (isSettled(await records.list(), now())) return;
    const made = await makeKey(sealer);
    const { add, change } = await records.change((keys) => planKeys(keys, made, now()));
    if (add.length + change.length === 0) return;
    this.#known = undefined;
    for (const { kid, state } of [...add, ...change]) if (state) await onChange(kid, state);
  }

  async #fresh(): Promise<Known> {
    const known = this.#known;
    return known && this.#parts.now() - known.readAt < freshMs ? known : this.#read();
  }

  #read(): Promise<Known> {
    this.#reading ??= this.#load().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #load(): Promise<Known> {
    const { records, sealer, now } = this.#parts;
    let rows = await records.list();
    if (!rows.some(({ state }) => state === 'active')) {
      await this.rotate();
      rows = await records.list();
    }
    const active = rows.find(({ state }) => state === 'active');
    if (!active) throw new Error('there is no key to sign with');
    const keys = rows.map(verificationKey);
    const signing = await signingKey(active, sealer);
    this.#known = { readAt: now(), signing, byId: new Map(keys.map((each) => [each.kid, each])) };
    return this.#known;
  }
}

async function makeKey(sealer: Sealer) {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const alg = 'ES256';
  const pair = await generateKeyPair(alg, { extractable: true });
  const open = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(open);
  const published = { ...open, use: 'sig', alg, kid };
  const sealed = await sealer.seal(JSON.stringify(await exportJWK(pair.privateKey)));
  return { kid, alg, public: JSON.stringify(published), private: sealed };
}

function verificationKey(row: SigningKeyRow): VerificationKey {
  const published: JWK = JSON.parse(row.public);
  const key = createPublicKey({ key: published, format: 'jwk' });
  return { kid: row.kid, alg: row.alg, key, public: published };
}

async function signingKey(row: SigningKeyRow, sealer: Sealer): Promise<SigningKey> {
  const secret: JWK = JSON.parse(await sealer.open(row.private));
  return { kid: row.kid, alg: row.alg, key: createPrivateKey({ key: secret, format: 'jwk' }) };
}
