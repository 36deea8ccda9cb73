import { LRUCache } from 'lru-cache';
import { OutboundError } from '#contract/house/outbound';
import { atMost } from '#contract/memory/at-most';
import { systemClock } from '../call/clock.ts';
import { RateBucket } from '../rates/rate-bucket.ts';

const mostAtOnce = 32;
/** Where there are several tenants, so much in a hundred of that is there for one of them. */
const shareOfTenant = 50;
const mostHosts = 10_000;
/** Of one host: enough for who is served there, too little to flood it through this server. */
const hostRate = { requests: 60, perMs: 60_000, burst: 30 };

/** Who of a tenant may fetch now. */
export interface TenantTurns {
  /**
   * Begin to fetch; the returned function says that it is over.
   *
   * @throws OutboundError `busy`
   */
  enter(url: string): () => void;
}

/** Who may fetch now: so many at once, and so many a minute from one host by one tenant. */
export class HostTurns {
  /** By tenant and host. */
  readonly #hosts = new LRUCache<string, RateBucket>(atMost(mostHosts));
  /** How many of each tenant are under way; of as many as there are tenants. */
  readonly #ofTenant = new Map<string, number>();
  readonly #mostOfTenant: number;
  readonly #now: () => number;
  #running = 0;

  /** @param isShared whether there are several tenants */
  constructor(isShared: boolean, now: () => number = Date.now) {
    this.#mostOfTenant = isShared ? (mostAtOnce * shareOfTenant) / 100 : mostAtOnce;
    this.#now = now;
  }

  /** The turns of a tenant. */
  of(tenant: string): TenantTurns {
    return { enter: (url) => this.#enter(tenant, url) };
  }

  #enter(tenant: string, url: string): () => void {
    const own = this.#ofTenant.get(tenant) ?? 0;
    if (this.#running >= mostAtOnce || own >= this.#mostOfTenant) {
      throw busy('too much is fetched at the same time');
    }
    const { host } = new URL(url);
    const key = `${tenant} ${host}`;
    const bucket = this.#hosts.get(key) ?? this.#open(key);
    if (bucket.reserve(1, 0, '') > 0) throw busy(`too much is fetched from ${host}`);
    this.#count(tenant, 1);
    return () => this.#count(tenant, -1);
  }

  #count(tenant: string, more: number): void {
    this.#running += more;
    this.#ofTenant.set(tenant, (this.#ofTenant.get(tenant) ?? 0) + more);
  }

  #open(key: string): RateBucket {
    const bucket = new RateBucket(hostRate, { ...systemClock, now: this.#now });
    this.#hosts.set(key, bucket);
    return bucket;
  }
}

function busy(reason: string): OutboundError {
  return new OutboundError('busy', reason);
}
