import { randomUUID } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { Ending } from '../common-server.ts';
import { startStranger } from './strangers.ts';

/** What `cnf` may say (RFC 7800) that this server cannot check. */
export const unreadable = [
  { 'x5t#S256': 'A'.repeat(43) },
  { jkt: 'A'.repeat(43), 'x5t#S256': 'A'.repeat(43) },
  ...[{ jkt: 5 }, { jkt: '' }, {}, [], 'text', null],
];

/** One for all providers: it takes longer to make than most tests to run. */
let rsaPair: ReturnType<typeof generateKeyPair> | undefined;

function pairFor(alg: string) {
  const make = () => generateKeyPair(alg, { extractable: true });
  if (alg !== 'RS256') return make();
  rsaPair ??= make();
  return rsaPair;
}

/** A provider with a key, and what it can be made to say. */
export async function provider(url: string, alg = 'RS256') {
  const { publicKey, privateKey } = await pairFor(alg);
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg, use: 'sig' };
  const now = () => Math.floor(Date.now() / 1000);
  const sign = (claims: JWTPayload, typ: string | undefined) =>
    new SignJWT({ iss: url, iat: now(), jti: randomUUID(), ...claims })
      .setProtectedHeader({ alg, kid: 'k', ...(typ !== undefined && { typ }) })
      .sign(privateKey);
  return { jwk, sign, now, pem: await exportSPKI(publicKey) };
}

/** Start a provider that publishes its key, and whose assertions the server takes. */
export async function startVouching(t: Ending, settings: object = {}) {
  const stranger = await startStranger(t);
  const { url } = stranger;
  const { jwk, sign, now } = await provider(url, 'ES256');
  stranger.documents.set('/.well-known/openid-configuration', {
    issuer: url,
    jwks_uri: `${url}/keys`,
  });
  stranger.documents.set('/keys', { keys: [jwk] });
  const trusted = [{ issuer: url, name: 'Provider', creates_people: true, ...settings }];
  const env = {
    SERVICE_ALLOW_INSECURE_FETCH: '1',
    SERVICE_TRUSTED_ISSUERS: JSON.stringify(trusted),
  };
  /** An assertion (ID-JAG) for the server at `aud`. */
  const jag = (aud: string, more: JWTPayload = {}) => {
    const life = { exp: now() + 300, auth_time: now() - 10 };
    const who = { sub: 'u1', client_id: 'host', email: 'new@example.com', email_verified: true };
    return sign({ aud, ...life, ...who, ...more }, 'oauth-id-jag+jwt');
  };
  return { url, env, jag, sign, now };
}

export type Vouching = Awaited<ReturnType<typeof startVouching>>;
