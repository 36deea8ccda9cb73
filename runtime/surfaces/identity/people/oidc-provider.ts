import type { Configuration, CustomFetch } from 'openid-client';
import type { Outbound } from '#contract/house/outbound';
import { emailAddress } from './email-address.ts';

interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly outbound: Outbound;
}

/** What the provider says of somebody who has signed in there. */
export interface VerifiedPerson {
  readonly email: string;
  readonly name: string;
  readonly amr: readonly string[];
}

/** Why nobody has signed in. */
export type OidcRefusal = 'cancelled' | 'no_verified_email' | 'failed';

/** Most bytes of what the provider answers. */
const mostBytes = 262_144;
const timeoutMs = 10_000;

/** The OpenID Connect provider at which people sign in (code flow with PKCE). */
export class OidcProvider {
  readonly #settings: ProviderSettings;
  #configuration: Promise<Configuration> | undefined;

  constructor(settings: ProviderSettings) {
    this.#settings = settings;
  }

  /**
   * Where to send a browser, and what must come back with it.
   *
   * @throws Error when the provider cannot be reached
   */
  async begin(redirectUri: string, state: string) {
    const {
      buildAuthorizationUrl,
      calculatePKCECodeChallenge,
      randomNonce,
      randomPKCECodeVerifier,
    } = await import('openid-client');
    const verifier = randomPKCECodeVerifier();
    const nonce = randomNonce();
    const url = buildAuthorizationUrl(await this.#configured(), {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return { url: url.href, verifier, nonce };
  }

  /**
   * Redeem what the browser has brought back, and check it (OpenID Connect Core 3.1.3).
   *
   * @param arrived the URL that the provider has sent it to
   */
  async finish(
    arrived: URL,
    expected: { readonly state: string; readonly nonce: string; readonly verifier: string },
  ): Promise<VerifiedPerson | OidcRefusal> {
    const { authorizationCodeGrant } = await import('openid-client');
    const configuration = await this.#configured();
    if (arrived.searchParams.has('error')) {
      return arrived.searchParams.get('error') === 'access_denied' ? 'cancelled' : 'failed';
    }
    const tokens = await authorizationCodeGrant(configuration, arrived, {
      pkceCodeVerifier: expected.verifier,
      expectedState: expected.state,
      expectedNonce: expected.nonce,
      idTokenExpected: true,
    });
    const claims: Readonly<Record<string, unknown>> = tokens.claims() ?? {};
    const email = emailAddress(textOf(claims['email']));
    if (email === undefined || claims['email_verified'] !== true) return 'no_verified_email';
    const amr = Array.isArray(claims['amr']) ? claims['amr'].map(String).slice(0, 10) : [];
    return { email, name: textOf(claims['name']).slice(0, 200), amr };
  }

  /** Read once; tried again by the next person where it failed. */
  #configured(): Promise<Configuration> {
    this.#configuration ??= this.#discover().catch((error: unknown) => {
      this.#configuration = undefined;
      throw error;
    });
    return this.#configuration;
  }

  async #discover(): Promise<Configuration> {
    const { allowInsecureRequests, ClientSecretPost, customFetch, discovery, None } = await import(
      'openid-client'
    );
    const { issuer, clientId, clientSecret, outbound } = this.#settings;
    const authentication = clientSecret === undefined ? None() : ClientSecretPost(clientSecret);
    return discovery(new URL(issuer), clientId, undefined, authentication, {
      [customFetch]: fetchBy(outbound),
      // The way to strangers decides whether http is taken at all.
      execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    });
  }
}

/** What openid-client wants of `fetch`, by the guarded way out. */
function fetchBy(outbound: Outbound): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await outbound.fetch(url, {
      method,
      headers,
      ...(body !== null && body !== undefined && { body: bytesOf(body) }),
      ...(signal && { signal }),
      maxBytes: mostBytes,
      timeoutMs,
    });
    const { status } = answer;
    const isEmpty = status === 204 || status === 304;
    const copy = isEmpty ? null : new Uint8Array(answer.body);
    return new Response(copy, { status, headers: { ...answer.headers } });
  };
}

function bytesOf(body: unknown): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  return String(body);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
