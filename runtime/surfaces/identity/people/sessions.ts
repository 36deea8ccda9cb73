import type { Arrival } from '#contract/arrival';
import type { OwnAddress } from '#contract/tenant/own-address';
import { sessionMs } from '../numbers.ts';
import type { SessionRecords } from '../records/sessions.ts';
import type { UserRow } from '../records/users.ts';
import { makeSecret, secretHash } from '../secrets/secret.ts';
import { type BrowserCookie, browserCookie } from './browser-cookies.ts';
import type { Person } from './person.ts';

/** Cookies of one name that a browser can have for several hosts and paths; the rest is not ours. */
const mostCookies = 4;

interface SessionParts {
  readonly records: SessionRecords;
  readonly address: OwnAddress;
  readonly now: () => number;
}

/** The browsers in which people have signed in, each known by a cookie of which the hash is kept. */
export class Sessions {
  readonly #parts: SessionParts;
  readonly #cookie: BrowserCookie;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#cookie = browserCookie('session', parts.address);
  }

  /** Who has signed in with this browser, and not too long ago. */
  async current(http: Arrival | undefined): Promise<Person | undefined> {
    const found = await this.#parts.records.find(this.#hashes(http));
    // Everything of before this time was ended at once.
    if (!found || found.created_at < found.not_before) return undefined;
    const { id, email, name, auth_time, amr, hash } = found;
    return { id, email, name, authTime: auth_time, amr: JSON.parse(amr), session: hash };
  }

  /**
   * Begin a session; what this browser had before ends. Gives the cookie, as `set-cookie` says it.
   *
   * @param amr how the person proved who they are (RFC 8176)
   */
  async start(
    user: Pick<UserRow, 'id'>,
    amr: readonly string[],
    http: Arrival | undefined,
  ): Promise<string> {
    const { records, now } = this.#parts;
    await records.remove(this.#hashes(http));
    const secret = makeSecret('ses');
    const at = now();
    await records.insert({
      hash: secretHash(secret),
      user: user.id,
      auth_time: at,
      amr: JSON.stringify(amr),
      created_at: at,
      expires_at: at + sessionMs,
    });
    return this.#cookie.write(secret, sessionMs);
  }

  /** End the session of this browser; gives the `set-cookie` that makes it forget. */
  async end(http: Arrival | undefined): Promise<string> {
    await this.#parts.records.remove(this.#hashes(http));
    return this.#cookie.clear();
  }

  #hashes(http: Arrival | undefined): readonly string[] {
    return this.#cookie.read(http).slice(0, mostCookies).map(secretHash);
  }
}
