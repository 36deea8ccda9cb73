import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const cookieName = 'approval';

/**
 * What a form must bring along to count: a token in the page that only whoever got the page has read,
 * bound to its approval and to a cookie that no other site makes a browser send.
 */
export class FormTokens {
  readonly #key: () => Buffer;
  readonly #attributes: string;

  constructor(key: () => Buffer, isSecure: boolean) {
    this.#key = key;
    this.#attributes = `HttpOnly; SameSite=Strict; Max-Age=600${isSecure ? '; Secure' : ''}`;
  }

  /** A new token for the form of an approval, with the cookie that belongs to it. */
  issue(id: string): { readonly token: string; readonly cookie: string } {
    const value = randomBytes(24).toString('base64url');
    const cookie = `${cookieName}=${value}; Path=/approvals/${id}; ${this.#attributes}`;
    return { token: this.#mac(id, value).toString('base64url'), cookie };
  }

  accepts(id: string, token: string, cookies: string): boolean {
    const given = Buffer.from(token, 'base64url');
    return cookies.split(/; */).some((cookie) => {
      const [name, value = ''] = cookie.split('=', 2);
      if (name !== cookieName) return false;
      const wanted = this.#mac(id, value);
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    });
  }

  #mac(id: string, value: string): Buffer {
    return createHmac('sha256', this.#key()).update(`${id}.${value}`).digest();
  }
}
