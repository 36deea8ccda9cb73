import type { Arrival } from '#contract/arrival';
import { parseCookies } from '#contract/surface/cookies';

/** A cookie of this surface, sent with every navigation to this server but not with posts of others. */
export interface BrowserCookie {
  /** What the browser has sent, the most fitting first. */
  read(http: Arrival | undefined): readonly string[];
  /** As `set-cookie` says it. */
  write(value: string, maxAgeMs: number): string;
  clear(): string;
}

/** Over TLS a cookie is bound to this very host (RFC 6265bis section 4.1.3.2). */
export function browserCookie(name: string, isSecure: () => boolean): BrowserCookie {
  const nameNow = () => (isSecure() ? `__Host-${name}` : name);
  const written = (value: string, seconds: number) => {
    const secure = isSecure() ? '; Secure' : '';
    return `${nameNow()}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
  };
  return {
    read: (http) => parseCookies(http?.headers['cookie']).get(nameNow()) ?? [],
    write: (value, maxAgeMs) => written(value, Math.floor(maxAgeMs / 1000)),
    clear: () => written('', 0),
  };
}
