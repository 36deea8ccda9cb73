import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FormPlace } from '#contract/house/pages';
import { parseCookies } from '#contract/surface/cookies';
import type { OwnAddress } from '#contract/tenant/own-address';

const cookieName = 'form';
const lifetimeS = 600;

/** What `issue` makes: 24 bytes in base64url. */
const ownValue = /^[\w-]{32}$/;

export interface FormTokenParts {
  /** 32 bytes, the same on every replica. */
  readonly key: () => Buffer;
  /** Where browsers reach a tenant, and whether over TLS alone. */
  readonly addressOf: (tenant: string) => Pick<OwnAddress, 'basePath' | 'isSecure'>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * What a form must bring along to count: a token in the page that only whoever got the page has
 * read, bound to its address, its caller and a cookie that comes with no form of another site.
 */
export class FormTokens {
  readonly #parts: FormTokenParts;

  constructor(parts: FormTokenParts) {
    this.#parts = parts;
  }

  /**
   * A new token for a form, with the cookie that belongs to it. A browser has one such cookie for a
   * path: the one that came stays, so that a page in another tab can still be answered.
   */
  issue(place: FormPlace, cookies: string): { readonly token: string; readonly cookie: string } {
    const known = parseCookies(cookies).get(cookieName) ?? [];
    const value =
      known.find((each) => ownValue.test(each)) ?? randomBytes(24).toString('base64url');
    const expires = this.#now() + lifetimeS * 1000;
    const { basePath, isSecure } = this.#parts.addressOf(place.caller.tenant);
    // A page to which another site leads must get it as well (Lax), or it would make a new one; with
    // a form that another site sends, it does not come.
    const attributes = `HttpOnly; SameSite=Lax; Max-Age=${lifetimeS}${isSecure ? '; Secure' : ''}`;
    const cookie = `${cookieName}=${value}; Path=${basePath}${place.path}; ${attributes}`;
    return {
      token: `${expires}.${this.#mac(place, value, expires).toString('base64url')}`,
      cookie,
    };
  }

  accepts(place: FormPlace, token: string, cookies: string): boolean {
    const [until = '', mac = ''] = token.split('.', 2);
    const expires = Number(until);
    if (!(expires > this.#now())) return false;
    const given = Buffer.from(mac, 'base64url');
    return (parseCookies(cookies).get(cookieName) ?? []).some((value) => {
      const wanted = this.#mac(place, value, expires);
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    });
  }

  #now(): number {
    return this.#parts.now?.() ?? Date.now();
  }

  #mac({ path, caller: { tenant, subject } }: FormPlace, value: string, expires: number): Buffer {
    // As JSON, no part can be mistaken for the beginning of the next one.
    const bound = JSON.stringify([path, tenant, subject, value, expires]);
    return createHmac('sha256', this.#parts.key()).update(bound).digest();
  }
}
