import { ServiceError } from '#contract/errors';
import type { AnyTransaction } from '#contract/house/store';
import { accessTokenMs, clockSkewMs, terminalTokenMs } from '../numbers.ts';
import type { RevocationRecords, Watermark } from '../records/revocations.ts';
import type { AccessToken } from './access-token.ts';

interface Parts {
  readonly records: RevocationRecords;
  readonly now: () => number;
}

const slackMs = 10 * clockSkewMs;

/**
 * For how long a watermark counts: as long as any token that it can concern may live. Only the agents
 * and clients of this server have registrations and grants; tokens of the terminal may live for
 * longer, and those of another issuer for as long as that one likes.
 */
export const watermarkLifeMs: Readonly<Record<Watermark['kind'], number>> = {
  registration: accessTokenMs + slackMs,
  grant: accessTokenMs + slackMs,
  key: terminalTokenMs + slackMs,
  user: Number.POSITIVE_INFINITY,
  client: Number.POSITIVE_INFINITY,
  tenant: Number.POSITIVE_INFINITY,
};
/**
 * Each look at the store goes back by this much: clocks of replicas differ, and what was written
 * may become visible late.
 */
const overlapMs = clockSkewMs + 5000;
/** How long one that nobody asks is followed all the same. */
const usedMs = 60_000;
/** Whoever has not heard of the store for longer asks before it lets a token pass. */
const staleMs = 5000;

/** What tells whether a token, or what was done with one, was revoked. */
type Issued = Pick<
  AccessToken,
  'id' | 'ancestors' | 'registration' | 'grant' | 'client' | 'subject' | 'issuedAt' | 'kid'
>;

/**
 * What was revoked, kept in memory and followed in the store. No token passes while it is not known
 * what other replicas have revoked.
 */
export class Revocations {
  readonly #parts: Parts;
  readonly #denied = new Map<string, number>();
  readonly #watermarks = new Map<string, Watermark>();
  #followedAt = Number.NEGATIVE_INFINITY;
  #following: Promise<void> | undefined;
  #sweptAt = 0;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether what is known here is from a few seconds ago at most. */
  get isFresh(): boolean {
    return this.#parts.now() - this.#followedAt < staleMs;
  }

  /** Whether somebody has asked within the last minute. */
  get isUsed(): boolean {
    return this.#parts.now() - this.#askedAt < usedMs;
  }

  /** Whether a token was revoked, as far as it is known here. */
  has(token: Issued): boolean {
    const { id, registration, grant, client, subject, issuedAt } = token;
    this.#askedAt = this.#parts.now();
    if (this.#denied.has(id)) return true;
    if (token.ancestors?.some((each) => this.#denied.has(each))) return true;
    if (this.#watermarks.size === 0) return false;
    return (
      (token.kid !== undefined && this.isDropped(token.kid)) ||
      issuedAt < this.mark('tenant', '') ||
      issuedAt < this.mark('client', client) ||
      issuedAt < this.mark('user', subject) ||
      (registration !== undefined && issuedAt < this.mark('registration', registration)) ||
      (grant !== undefined && issuedAt < this.mark('grant', grant))
    );
  }

  /** Whether a key of this server was dropped lately, with all that it has signed. */
  isDropped(kid: string): boolean {
    return this.mark('key', kid) > 0;
  }

  /** Revoke one token; `leave` does in the same transaction what follows of it, once. */
  async deny(
    token: Pick<AccessToken, 'id' | 'expiresAt'>,
    leave: (tx: AnyTransaction) => Promise<void>,
  ): Promise<void> {
    const { id } = token;
    // A clock that is behind takes the token for longer.
    const expiresAt = token.expiresAt + clockSkewMs;
    await this.#parts.records.deny({ id, expiresAt }, leave);
    this.#denied.set(id, expiresAt);
  }

  /** Revoke everything that somebody was given before a time. */
  async raise(mark: Watermark): Promise<void> {
    await this.#parts.records.raise(mark);
    this.#apply(mark);
  }

  /**
   * Let no token be given that would be worth nothing: just after a tenant has ended, the end counts
   * for some time to come. With `asKnown`, what was written elsewhere half a second ago may be missed,
   * which is enough for what can be asked for again.
   *
   * @throws ServiceError with status 503 while that is so
   */
  async requireOpen(asKnown = false): Promise<void> {
    this.#askedAt = this.#parts.now();
    if (!asKnown || !this.isFresh) await this.follow();
    const retryAfterMs = this.mark('tenant', '') - this.#parts.now();
    if (retryAfterMs <= 0) return;
    const message = 'all that was given here was revoked just now; ask again in some seconds';
    throw new ServiceError('temporarily_unavailable', 503, message, { retryAfterMs });
  }

  /**
   * See what was written lately; whoever writes in a transaction of its own calls it afterwards.
   *
   * @throws ServiceError with status 503 where it cannot be read: no token passes then
   */
  follow(): Promise<void> {
    this.#following ??= this.#follow().finally(() => {
      this.#following = undefined;
    });
    return this.#following;
  }

  async #follow(): Promise<void> {
    const { records, now } = this.#parts;
    const at = now();
    const last = Math.max(this.#followedAt - overlapMs, 0);
    // Tokens of others live for as long as their issuer likes, so what was revoked counts at any age.
    const { denied, watermarks } = await records.since(last).catch((error: unknown) => {
      if (error instanceof ServiceError) throw error;
      throw unknownRevocations(error);
    });
    for (const { id, expiresAt } of denied) this.#denied.set(id, expiresAt);
    for (const mark of watermarks) this.#apply(mark);
    this.#followedAt = at;
    this.#sweep(at);
  }

  #apply(mark: Watermark): void {
    if (mark.notBefore <= this.mark(mark.kind, mark.id)) return;
    this.#watermarks.set(keyOf(mark.kind, mark.id), mark);
  }

  /** From when on what somebody was given counts; 0 where it always does. */
  mark(kind: Watermark['kind'], id: string): number {
    return this.#watermarks.get(keyOf(kind, id))?.notBefore ?? 0;
  }

  #sweep(at: number): void {
    if (at - this.#sweptAt < clockSkewMs) return;
    this.#sweptAt = at;
    for (const [id, expiresAt] of this.#denied) if (expiresAt < at) this.#denied.delete(id);
    for (const [key, { kind, notBefore }] of this.#watermarks) {
      if (notBefore < at - watermarkLifeMs[kind]) this.#watermarks.delete(key);
    }
  }
}

function unknownRevocations(cause: unknown): ServiceError {
  const message = 'it cannot be read now which tokens were revoked; ask again in some seconds';
  return new ServiceError('temporarily_unavailable', 503, message, {
    retryAfterMs: staleMs,
    cause,
  });
}

function keyOf(kind: Watermark['kind'], id: string): string {
  return `${kind}:${id}`;
}
