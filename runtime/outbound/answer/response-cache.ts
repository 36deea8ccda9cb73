import { LRUCache } from 'lru-cache';
import { type Answer, headerOf } from '../call/exchange.ts';
import type { Received } from '../request/transmit.ts';

/** An answer that may be used again. */
export interface Kept extends Received {
  readonly freshUntil: number;
  /** With it the vendor can say that nothing has changed (RFC 9110 section 8.8.3). */
  readonly etag: string | undefined;
}

/** Answers to reads, as many as fit into a number of bytes. */
export class ResponseCache {
  readonly #kept: LRUCache<string, Kept>;

  constructor(maxBytes: number) {
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      // One answer should not push out all others.
      maxEntrySize: Math.ceil(maxBytes / 8),
      sizeCalculation: ({ answer }, key) => answer.body.length + key.length + 1024,
    });
  }

  get(key: string): Kept | undefined {
    return this.#kept.get(key);
  }

  /** Keep an answer for `ttlMs`, or less where its Cache-Control says so (RFC 9111 section 5.2.2). */
  put(key: string, received: Received, { ttlMs, now }: { ttlMs: number; now: number }): void {
    const directives = headerOf(received.answer.headers, 'cache-control')?.toLowerCase() ?? '';
    if (directives.includes('no-store')) {
      this.#kept.delete(key);
      return;
    }
    const etag = headerOf(received.answer.headers, 'etag');
    const lifetime = Math.min(ttlMs, maxAge(directives));
    if (lifetime <= 0 && etag === undefined) return;
    this.#kept.set(key, { ...received, freshUntil: now + lifetime, etag });
  }
}

/** Only complete, successful answers are kept. */
export function isCacheable(answer: Answer): boolean {
  return answer.status === 200 && answer.cut === undefined;
}

function maxAge(directives: string): number {
  if (/(?:^|[\s,])no-cache(?:[\s,]|$)/.test(directives)) return 0;
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d+)/.exec(directives)?.[1];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000;
}
