import type { Arrival } from '#contract/arrival';
import type { House } from '#contract/house/house';
import type { Mail } from '../mail/mail.ts';
import { mostLinksPerAddress, signInMs } from '../numbers.ts';
import type { SignInRecords, SignInRow } from '../records/sign-ins.ts';
import type { UserRecords } from '../records/users.ts';
import type { Sealer } from '../secrets/sealer.ts';
import { makeSecret, secretHash } from '../secrets/secret.ts';
import { type BrowserCookie, browserCookie } from './browser-cookies.ts';
import { domainOf } from './email-address.ts';
import type { OidcProvider, OidcRefusal } from './oidc-provider.ts';
import { returnPath } from './return-path.ts';
import type { Sessions } from './sessions.ts';

interface SignInParts extends Pick<House, 'address' | 'now'> {
  readonly records: SignInRecords;
  readonly users: UserRecords;
  readonly sessions: Sessions;
  readonly sealer: Sealer;
  readonly mail: Mail;
  /** Domains of the addresses that may sign in; any when absent. */
  readonly emailDomains: readonly string[] | undefined;
  /** Absent where there is none. */
  readonly provider: OidcProvider | undefined;
}

/** Somebody has signed in: where they go on, and the cookies that say so. */
export interface SignedIn {
  readonly location: string;
  readonly cookies: readonly string[];
}

/** Sign-ins that take two steps count only in the browser in which they have begun. */
export class SignIns {
  readonly #parts: SignInParts;
  readonly #browser: BrowserCookie;

  constructor(parts: SignInParts) {
    this.#parts = parts;
    this.#browser = browserCookie('sign_in', parts.address);
  }

  /** Whether people with this address may sign in. */
  takes(email: string): boolean {
    return this.#parts.emailDomains?.includes(domainOf(email)) ?? true;
  }

  /** Sign somebody in who says who they are: for development. */
  async believe(email: string, returnTo: string | undefined, http: Arrival | undefined) {
    return this.#enter({ email, name: '', amr: [] }, returnPath(returnTo), http);
  }

  /**
   * Send a link to an address. Nothing of what happens tells whether anybody with it was ever here.
   *
   * @returns the cookie of this browser, or nothing where too many links are on their way to it
   */
  async sendLink(email: string, returnTo: string | undefined): Promise<string | undefined> {
    const { address, mail, records } = this.#parts;
    const secret = makeSecret('sgn');
    const browser = makeSecret('brw');
    const link = `${address.of('/sign-in/link')}?link=${secret}`;
    const minutes = signInMs / 60_000;
    const letter = await mail.prepare({ kind: 'sign-in', to: email, link, minutes });
    const row = await this.#row('email', { secret, browser, email, returnTo });
    const isSent = await records.insert(row, mostLinksPerAddress, (tx) => mail.send(letter, tx));
    if (!isSent) return undefined;
    mail.wake();
    return this.#browser.write(browser, signInMs);
  }

  /** To whom a link belongs, where it counts here. */
  async lookAtLink(secret: string, http: Arrival | undefined) {
    const row = await this.#parts.records.find(secretHash(secret), 'email');
    if (!row) return 'gone';
    return this.#isSameBrowser(row, http) ? { email: row.email } : 'other_browser';
  }

  /** Sign in with a link, which works once. */
  async useLink(secret: string, http: Arrival | undefined): Promise<SignedIn | undefined> {
    const { records, sealer } = this.#parts;
    const hash = secretHash(secret);
    const open = await records.find(hash, 'email');
    if (!open || !this.#isSameBrowser(open, http)) return undefined;
    const row = await records.take(hash, 'email');
    if (!row) return undefined;
    const location = await sealer.open(row.return_to);
    return this.#enter({ email: row.email, name: '', amr: ['otp'] }, location, http);
  }

  /**
   * Send a browser to the provider.
   *
   * @throws Error when the provider cannot be reached
   */
  async goToProvider(returnTo: string | undefined): Promise<SignedIn> {
    const { records, sealer } = this.#parts;
    const secret = makeSecret('sgn');
    const browser = makeSecret('brw');
    const { url, verifier, nonce } = await this.#provider.begin(this.#callback(), secret);
    const row = await this.#row('oidc', { secret, browser, email: '', returnTo });
    await records.insert({ ...row, nonce, verifier: await sealer.seal(verifier) }, 0);
    return { location: url, cookies: [this.#browser.write(browser, signInMs)] };
  }

  /** Take back a browser that comes from the provider. */
  async comeFromProvider(
    state: string,
    http: Arrival | undefined,
  ): Promise<SignedIn | OidcRefusal | 'foreign_domain' | 'gone'> {
    const { records, sealer } = this.#parts;
    const hash = secretHash(state);
    const open = await records.find(hash, 'oidc');
    if (!open || !this.#isSameBrowser(open, http)) return 'gone';
    const row = await records.take(hash, 'oidc');
    if (!row) return 'gone';
    const arrived = new URL(this.#callback());
    arrived.search = URL.parse(http?.url ?? '', arrived)?.search ?? '';
    const verifier = await sealer.open(row.verifier);
    const person = await this.#provider.finish(arrived, { state, nonce: row.nonce, verifier });
    if (typeof person === 'string') return person;
    if (!this.takes(person.email)) return 'foreign_domain';
    return this.#enter(person, await sealer.open(row.return_to), http);
  }

  async #enter(
    { email, name, amr }: { email: string; name: string; amr: readonly string[] },
    location: string,
    http: Arrival | undefined,
  ): Promise<SignedIn> {
    const { users, sessions } = this.#parts;
    const user = await users.at(email, name);
    const session = await sessions.start(user, amr, http);
    return { location, cookies: [session, this.#browser.clear()] };
  }

  async #row(
    kind: SignInRow['kind'],
    begun: { secret: string; browser: string; email: string; returnTo: string | undefined },
  ): Promise<SignInRow> {
    const { sealer, now } = this.#parts;
    const at = now();
    return {
      hash: secretHash(begun.secret),
      kind,
      return_to: await sealer.seal(returnPath(begun.returnTo)),
      email: begun.email,
      nonce: '',
      verifier: '',
      browser: secretHash(begun.browser),
      created_at: at,
      expires_at: at + signInMs,
      used_at: null,
    };
  }

  #isSameBrowser({ browser }: Pick<SignInRow, 'browser'>, http: Arrival | undefined): boolean {
    return this.#browser.read(http).some((value) => secretHash(value) === browser);
  }

  #callback(): string {
    return `${this.#parts.address.of('/sign-in/callback')}`;
  }

  get #provider(): OidcProvider {
    const { provider } = this.#parts;
    if (!provider) throw new Error('there is no provider to sign in at');
    return provider;
  }
}
