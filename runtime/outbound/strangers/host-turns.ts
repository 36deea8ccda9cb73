import { LRUCache } from 'lru-cache';
import { OutboundError } from '#contract/house/outbound';
import { systemClock } from '../call/clock.ts';
import { RateBucket } from '../rates/rate-bucket.ts';

const mostAtOnce = 32;
const mostHosts = 10_000;
/** Of one host: enough for who is served there, too little to flood it through this server. */
const hostRate = { requests: 60, perMs: 60_000, burst: 30 };

/** Who may fetch now: so many at once, and so many a minute from one host. */
export class HostTurns {
  readonly #hosts = new LRUCache<string, RateBucket>({ max: mostHosts });
  readonly #now: () => number;
  #running = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Begin to fetch; the returned function says that it is over.
   *
   * @throws OutboundError `busy`
   */
  enter(url: string): () => void {
    if (this.#running >= mostAtOnce) throw busy('too much is fetched at the same time');
    const { host } = new URL(url);
    const bucket = this.#hosts.get(host) ?? this.#open(host);
    if (bucket.reserve(1, 0, '') > 0) throw busy(`too much is fetched from ${host}`);
    this.#running += 1;
    return () => {
      this.#running -= 1;
    };
  }

  #open(host: string): RateBucket {
    const bucket = new RateBucket(hostRate, { ...systemClock, now: this.#now });
    this.#hosts.set(host, bucket);
    return bucket;
  }
}

function busy(reason: string): OutboundError {
  return new OutboundError('busy', reason);
}
