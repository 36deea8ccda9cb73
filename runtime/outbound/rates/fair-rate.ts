import type { Clock } from '../call/clock.ts';
import { type BucketRate, RateBucket } from './rate-bucket.ts';

/** What calls pay into, and what a vendor's own count corrects: times are milliseconds. */
export type RateAccount = Pick<
  RateBucket,
  'reserve' | 'isClosed' | 'refund' | 'charge' | 'lower' | 'close'
>;

/** A token may lack so much of itself: parts of milliseconds are lost on the way. */
const rounding = 1e-6;

/** What the parts of one rate have in common. */
interface Common {
  readonly bucket: RateBucket;
  readonly clock: Clock;
  /** The part of each tenant, by its id. */
  readonly parts: ReadonlyMap<string, RateBucket>;
  /** Tokens that nobody may borrow at most: all but one part. */
  readonly mostKept: number;
  /** Until when nobody borrows, because somebody was refused their own part. */
  owedUntil: number;
}

/**
 * The rate of one vendor, which counts all tenants together. Each has a part of its own that no other
 * can use up: an equal share of the rate and of the burst. What others leave unused it may have on top,
 * as long as the bursts of those others stay whole (as classes of a hierarchical token bucket lend).
 */
export class FairRate {
  readonly #accounts: ReadonlyMap<string, RateAccount>;
  readonly #bucket: RateBucket;

  /** `tenants` are those who may call the vendor; of a single one, nothing is kept back. */
  constructor(rate: BucketRate, tenants: readonly string[], clock: Clock) {
    this.#bucket = new RateBucket(rate, clock);
    const isShared = tenants.length > 1 && Number.isFinite(rate.requests);
    this.#accounts = isShared ? accountsOf(this.#bucket, { rate, tenants, clock }) : new Map();
  }

  /** What a tenant pays into; calls of nobody in particular count as those of the server itself. */
  account(tenant: string): RateAccount {
    return this.#accounts.get(tenant) ?? this.#bucket;
  }
}

interface Parted {
  readonly rate: BucketRate;
  readonly tenants: readonly string[];
  readonly clock: Clock;
}

function accountsOf(
  bucket: RateBucket,
  { rate, tenants, clock }: Parted,
): ReadonlyMap<string, RateAccount> {
  const share = {
    requests: rate.requests / tenants.length,
    perMs: rate.perMs,
    burst: Math.max(1, rate.burst / tenants.length),
  };
  const parts = new Map(tenants.map((id) => [id, new RateBucket(share, clock)]));
  const mostKept = rate.burst - share.burst;
  const common: Common = { bucket, clock, parts, mostKept, owedUntil: 0 };
  return new Map(Array.from(parts, ([id, part]) => [id, new TenantAccount(part, common)]));
}

/** What one tenant pays into: the common bucket, and its own part as far as that reaches. */
class TenantAccount implements RateAccount {
  readonly #part: RateBucket;
  readonly #common: Common;

  constructor(part: RateBucket, common: Common) {
    this.#part = part;
    this.#common = common;
  }

  /** See `RateBucket.reserve`. */
  reserve(tokens: number, maxWait: number, window: string): number {
    const { bucket, clock } = this.#common;
    if (this.#part.level + rounding < Math.min(tokens, this.#part.burst)) {
      return this.#borrow(tokens, maxWait, window);
    }
    const wait = bucket.reserve(tokens, maxWait, window);
    if (wait <= maxWait) this.#part.charge(tokens);
    // Whoever comes again after that wait finds the token, which nobody has borrowed meanwhile.
    else if (!bucket.isClosed(window)) this.#common.owedUntil = clock.now() + wait;
    return wait;
  }

  isClosed(window: string): boolean {
    return this.#common.bucket.isClosed(window);
  }

  /** Only to all: the tokens may have been borrowed. */
  refund(tokens: number): void {
    this.#common.bucket.refund(tokens);
  }

  charge(tokens: number): void {
    this.#common.bucket.charge(tokens);
    this.#part.charge(tokens);
  }

  /** What the vendor has left is divided as the parts were. */
  lower(tokens: number): void {
    const { bucket, parts } = this.#common;
    bucket.lower(tokens);
    const kept = sumOf(parts.values());
    // A burst of fewer calls than there are tenants cannot be divided among them.
    if (tokens >= kept || bucket.burst < parts.size) return;
    for (const part of parts.values()) part.lower((Math.max(0, part.level) * tokens) / kept);
  }

  close(window: string, ms: number): void {
    this.#common.bucket.close(window, ms);
  }

  /** Take what others leave: those who wait for their own part must not wait long for that. */
  #borrow(tokens: number, maxWait: number, window: string): number {
    const { bucket, clock, parts, mostKept, owedUntil } = this.#common;
    const others = sumOf(parts.values()) - Math.max(0, this.#part.level);
    const lacking = tokens + Math.min(others, mostKept) - bucket.level;
    const wait = Math.ceil(Math.max(lacking * bucket.perToken, owedUntil - clock.now(), 0));
    const patience = Math.min(maxWait, Math.max(maxWait / 2, Math.ceil(bucket.perToken)));
    if (wait > patience) return Math.max(wait, maxWait + 1);
    return Math.max(wait, bucket.reserve(tokens, maxWait, window));
  }
}

function sumOf(parts: Iterable<RateBucket>): number {
  let sum = 0;
  for (const { level } of parts) sum += Math.max(0, level);
  return sum;
}
