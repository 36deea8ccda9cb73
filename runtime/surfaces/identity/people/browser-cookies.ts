import type { Arrival } from '#contract/arrival';
import { parseCookies } from '#contract/surface/cookies';
import type { OwnAddress } from '#contract/tenant/own-address';

/** A cookie of this surface, sent with every navigation to this server but not with posts of others. */
export interface BrowserCookie {
  /** What the browser has sent, the most fitting first. */
  read(http: Arrival | undefined): readonly string[];
  /** As `set-cookie` says it. */
  write(value: string, maxAgeMs: number): string;
  clear(): string;
}

/**
 * Over TLS a cookie is bound to this very host (RFC 6265bis section 4.1.3.2). That of a tenant without
 * a host of its own goes to its paths alone, which that prefix does not allow.
 */
export function browserCookie(
  name: string,
  address: Pick<OwnAddress, 'isSecure' | 'basePath'>,
): BrowserCookie {
  const path = address.basePath || '/';
  const prefix = path === '/' ? '__Host-' : '__Secure-';
  const nameNow = () => (address.isSecure ? prefix + name : name);
  const written = (value: string, seconds: number) => {
    const secure = address.isSecure ? '; Secure' : '';
    return `${nameNow()}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
  };
  return {
    read: (http) => parseCookies(http?.headers['cookie']).get(nameNow()) ?? [],
    write: (value, maxAgeMs) => written(value, Math.floor(maxAgeMs / 1000)),
    clear: () => written('', 0),
  };
}
