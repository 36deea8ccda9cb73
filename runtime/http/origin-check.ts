import type { IncomingHttpHeaders } from 'node:http';
import { isIPv6 } from 'node:net';
import { hostNameOf } from './tenant/entrance.ts';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Says why a request must not be answered, if it must not. */
export type OriginCheck = (headers: IncomingHttpHeaders) => string | undefined;

/** Two questions: is this server meant, and does a page of its own ask. */
export interface OriginChecks {
  readonly host: OriginCheck;
  readonly origin: OriginCheck;
}

/**
 * Refuse requests that a foreign web page sends through the user's browser (DNS rebinding): only
 * loopback names, the address that the server is bound to, and the host of `baseUrl`, may stand in
 * Host and Origin. The hosts of `tenants`, which are URLs, are served as well, each for pages of its
 * own alone.
 */
export function createOriginChecks(
  host: string,
  baseUrl: string | undefined,
  tenants: readonly string[] = [],
): OriginChecks {
  const base = URL.parse(baseUrl ?? '');
  const bound = URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}`);
  const own = new Set([...loopbackNames, ...(bound ? [bound.hostname] : [])]);
  const origins = new Map(tenants.map((url) => [new URL(url).hostname, new URL(url).origin]));
  const names = new Set([...own, ...(base ? [base.hostname] : []), ...origins.keys()]);
  /** The host of the last request that was for this server: most name the same one. */
  let served: string | undefined;
  return {
    host({ host }) {
      if (host === undefined || (host !== served && !names.has(hostNameOf(host)))) {
        return `the host ${JSON.stringify(host ?? '')} is not served here`;
      }
      served = host;
      return undefined;
    },
    origin({ origin, host }) {
      if (origin === undefined || isAllowed(origin, host)) return undefined;
      return `requests from the origin ${JSON.stringify(origin)} are not allowed`;
    },
  };

  function isAllowed(origin: string, host: string | undefined): boolean {
    const tenant = origins.size > 0 ? origins.get(hostNameOf(host)) : undefined;
    if (tenant !== undefined) return origin === tenant;
    const url = URL.parse(origin);
    if (!url || !/^https?:$/.test(url.protocol)) return false;
    return own.has(url.hostname) || url.origin === base?.origin;
  }
}
