import { type Outbound, OutboundError } from '#contract/house/outbound';
import type { JsonObject } from '#contract/json';
import { keySetBytes, keySetFailureMs, keySetKeepMs } from '../numbers.ts';
import { type FindKey, remoteKeys } from './remote-keys.ts';
import type { TrustedIssuer } from './trusted-issuers.ts';

/** Where the metadata of an issuer can stand (OpenID Connect Discovery section 4, RFC 8414 section 3). */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === '/' ? '' : pathname.replace(/\/$/, '');
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

/** What an issuer says of itself; nothing where no such document can be fetched. */
export async function issuerMetadata(
  issuer: string,
  outbound: Outbound,
): Promise<JsonObject | undefined> {
  const rules = { maxBytes: keySetBytes, keepMs: keySetKeepMs, failureMs: keySetFailureMs };
  for (const url of metadataUrls(issuer)) {
    try {
      const { value } = await outbound.document(url, rules);
      // Metadata of somebody else must not bring keys in (RFC 8414 section 3.3).
      if (value['issuer'] === issuer) return value;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
    }
  }
  return undefined;
}

/**
 * The keys of an issuer: those that the operator names, else those that its metadata name, else
 * those beside them.
 *
 * @throws OutboundError where none can be fetched
 */
export async function issuerKeys(
  { issuer, jwksUri }: Pick<TrustedIssuer, 'issuer' | 'jwksUri'>,
  outbound: Outbound,
  now: () => number,
): Promise<FindKey> {
  if (jwksUri !== undefined) return remoteKeys(outbound, jwksUri, now);
  const { jwks_uri: named } = (await issuerMetadata(issuer, outbound)) ?? {};
  if (typeof named === 'string') return remoteKeys(outbound, named, now);
  return remoteKeys(outbound, `${issuer.replace(/\/$/, '')}/.well-known/jwks.json`, now);
}
