import { createPrivateKey, randomUUID } from 'node:crypto';
import { type JWK, SignJWT } from 'jose';
import { Agent, type Told } from '../../surfaces/identity/claiming-agent.ts';
import { redirectUri } from './service.ts';

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** Where a host sends its user. */
export function authorizationUrl(base: string, issuer = base): string {
  const url = new URL(`${base}/oauth2/authorize`);
  url.search = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'host', redirect_uri: redirectUri, resource: issuer },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', scope: 'mcp.tools api.read' },
  }).toString();
  return url.href;
}

/** What a host sends for its code. */
export function trade(base: string, code: string): Promise<Told> {
  return new Agent(base).token({
    ...{ grant_type: 'authorization_code', code, client_id: 'host' },
    ...{ redirect_uri: redirectUri, code_verifier: verifier },
  });
}

/** Exchange an assertion of an agent. */
export function exchange(base: string, assertion: string, more: object = {}): Promise<Told> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  return new Agent(base).token({ grant_type, assertion, ...more });
}

/** Spend a refresh token, of an agent or of a host. */
export function refresh(base: string, refresh_token: string): Promise<Told> {
  const client = refresh_token.startsWith('ort_') ? { client_id: 'host' } : {};
  return new Agent(base).token({ grant_type: 'refresh_token', refresh_token, ...client });
}

/** Get a token with an assertion that may be used once. */
export function prove(base: string, client_assertion: string): Promise<Told> {
  return new Agent(base).token({
    ...{ grant_type: 'client_credentials', client_assertion },
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  });
}

/** An assertion of the client that proves itself so. */
export function clientAssertion(issuer: string, clientKey: object): Promise<string> {
  const key = createPrivateKey({ key: clientKey as JWK, format: 'jwk' });
  return new SignJWT({ iss: 'signer', sub: 'signer', aud: issuer, jti: randomUUID() })
    .setProtectedHeader({ alg: 'ES256', typ: 'client-authentication+jwt' })
    .setIssuedAt()
    .setExpirationTime('4m')
    .sign(key);
}
