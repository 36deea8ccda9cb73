import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { JWK } from 'jose';
import type { AuditActor } from '#contract/house/audit';
import type { Log } from '#contract/house/log';
import type { AnyTransaction } from '#contract/house/store';
import type { Outbox } from '../outbox/outbox.ts';
import type { RevocationRecords } from '../records/revocations.ts';
import type { KeyChange, SigningKeyRecords, SigningKeyRow } from '../records/signing-keys.ts';
import type { Sealer } from '../secrets/sealer.ts';
import type { Revocations } from '../tokens/revocations.ts';
import { isSettled, planDrop, planKeys } from './key-plan.ts';

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
  readonly revocations: Pick<Revocations, 'isFresh' | 'isDropped' | 'follow'>;
  readonly marks: Pick<RevocationRecords, 'raise'>;
  readonly outbox: Outbox;
  readonly log: Pick<Log, 'error'>;
}

/** What becomes of a key, as it is written down. */
type Change = readonly [kid: string, state: SigningKeyRow['state'] | 'dropped'];

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
    const { records, sealer, now } = this.#parts;
    await this.#retireDamaged();
    if (isSettled(await records.list(), now())) return;
    const made = await makeKey(sealer);
    const leave = (changed: KeyChange, tx: AnyTransaction) =>
      this.#note(changesOf(changed), system, tx);
    const { add, change } = await records.change((keys) => planKeys(keys, made, now()), leave);
    if (add.length + change.length === 0) return;
    this.#known = undefined;
    this.#parts.outbox.wake();
  }

  /** All that are not retired, the oldest first. */
  list(): Promise<readonly SigningKeyRow[]> {
    return this.#parts.records.list();
  }

  /**
   * Drop a key that somebody else may have: on every replica, nothing that it has signed passes any
   * more, nor any access token of before. False where there is no such key.
   */
  async drop(kid: string): Promise<boolean> {
    const { records, sealer, now, marks, revocations, outbox } = this.#parts;
    const made = await makeKey(sealer);
    let isThere = false;
    const plan = (keys: readonly SigningKeyRow[]) => {
      const planned = planDrop(keys, kid, made, now());
      isThere = planned !== undefined;
      return planned ?? { add: [], change: [] };
    };
    await records.change(plan, async (changed, tx) => {
      if (!isThere) return;
      // What was issued within this millisecond was signed with it, or is of afterwards.
      const notBefore = now();
      await marks.raise({ kind: 'key', id: kid, notBefore }, tx);
      await marks.raise({ kind: 'tenant', id: '', notBefore }, tx);
      const others = changesOf(changed).filter(([id]) => id !== kid);
      await this.#note([[kid, 'dropped'], ...others], operator, tx);
    });
    if (!isThere) return false;
    await revocations.follow();
    this.#known = undefined;
    outbox.wake();
    return true;
  }

  /** One row that cannot be read must not take all others, and the server, along. */
  async #retireDamaged(): Promise<void> {
    const { records, outbox } = this.#parts;
    for (const row of await records.look()) {
      if (row.hasTimes === 1 && isReadable(row)) continue;
      const { kid } = row;
      const message = 'a signing key cannot be read: it is retired, and its tokens count no more';
      this.#parts.log.error({ kid }, message);
      await records.retire(kid, (tx) => this.#note([[kid, 'retired']], system, tx));
      this.#known = undefined;
      outbox.wake();
    }
  }

  /** The key that is to sign; one that cannot be opened goes on verifying, and another one signs. */
  async #open(rows: readonly SigningKeyRow[]): Promise<SigningKey | undefined> {
    const { sealer, records, now, log } = this.#parts;
    const active = rows.find(({ state }) => state === 'active');
    if (!active) return undefined;
    const { kid } = active;
    try {
      return await signingKey(active, sealer);
    } catch (err) {
      log.error({ err, kid }, 'a signing key cannot be opened: it only verifies from now on');
      const retiring = { kid, state: 'retiring', retiring_at: now() } as const;
      await records.change(
        (keys) => ({ add: [], change: keys.some((key) => key.kid === kid) ? [retiring] : [] }),
        (changed, tx) => this.#note(changesOf(changed), system, tx),
      );
      return undefined;
    }
  }

  async #note(changes: readonly Change[], actor: AuditActor, tx: AnyTransaction): Promise<void> {
    for (const [kid, state] of changes) {
      const note = { action: 'KEY_ROTATED', subject: kid, payload: { kid, state } } as const;
      await this.#parts.outbox.add({ ...note, actor }, tx);
    }
  }

  async #fresh(): Promise<Known> {
    const { revocations, now } = this.#parts;
    // Keys that are dropped are heard of as tokens are that are revoked.
    if (!revocations.isFresh) await revocations.follow();
    const known = this.#known;
    if (!known || now() - known.readAt >= freshMs) return this.#read();
    for (const kid of known.byId.keys()) if (revocations.isDropped(kid)) return this.#read();
    return known;
  }

  #read(): Promise<Known> {
    this.#reading ??= this.#load().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #load(): Promise<Known> {
    const { records, now } = this.#parts;
    await this.#retireDamaged();
    let rows = await records.list();
    let signing = await this.#open(rows);
    if (!signing) {
      await this.rotate();
      rows = await records.list();
      signing = await this.#open(rows);
    }
    if (!signing) throw new Error('there is no key to sign with');
    const keys = rows.map(verificationKey);
    this.#known = { readAt: now(), signing, byId: new Map(keys.map((each) => [each.kid, each])) };
    return this.#known;
  }
}

const system = { type: 'system', id: 'identity' } as const;
const operator = { type: 'user', id: 'operator' } as const;

function changesOf({ add, change }: KeyChange): readonly Change[] {
  return [...add, ...change].flatMap(({ kid, state }) => (state ? [[kid, state] as const] : []));
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

function isReadable(row: Pick<SigningKeyRow, 'kid' | 'alg' | 'public'>): boolean {
  try {
    return verificationKey(row).public.alg === row.alg;
  } catch {
    return false;
  }
}

function verificationKey(row: Pick<SigningKeyRow, 'kid' | 'alg' | 'public'>): VerificationKey {
  const published: JWK = JSON.parse(row.public);
  const key = createPublicKey({ key: published, format: 'jwk' });
  return { kid: row.kid, alg: row.alg, key, public: published };
}

async function signingKey(row: SigningKeyRow, sealer: Sealer): Promise<SigningKey> {
  const secret: JWK = JSON.parse(await sealer.open(row.private));
  return { kid: row.kid, alg: row.alg, key: createPrivateKey({ key: secret, format: 'jwk' }) };
}
