import { hash } from 'node:crypto';
import type { Route, RouteCache } from '#contract/surface/route';

/** Headers that say how long an answer may be kept; none where the route leaves that to its handler. */
export type CacheHeaders = (
  status: number,
  body: string | Uint8Array | undefined,
) => Readonly<Record<string, string>>;

/** Make what tells caches of the answers of a route (RFC 9111); only what a GET gets is ever kept. */
export function cacheHeaders({ cache, method }: Route): CacheHeaders | undefined {
  if (!cache) return undefined;
  const control = controlOf(cache);
  return (status, body) => {
    if (status !== 200 || method !== 'GET') return { 'cache-control': 'no-store' };
    if (!cache.etag || body === undefined) return { 'cache-control': control };
    return { 'cache-control': control, etag: `"${hash('sha256', body, 'base64url')}"` };
  };
}

function controlOf({ scope, maxAgeMs }: RouteCache): string {
  if (scope === 'no-store') return scope;
  return `${scope}, ${maxAgeMs === undefined ? 'no-cache' : `max-age=${Math.floor(maxAgeMs / 1000)}`}`;
}
