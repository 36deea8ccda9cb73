import type { Addresses } from '../addresses.ts';
import type { AuthenticateClient } from '../clients/authenticate-client.ts';
import type { GrantRecords } from '../records/grants.ts';
import type { RefreshTokens } from '../tokens/refresh-tokens.ts';
import { type Grant, refusal } from './grant.ts';
import {
  type IssueOAuthToken,
  liveGrant,
  narrowedResource,
  narrowedScopes,
  requireProof,
} from './oauth-token.ts';

export interface OAuthRefreshParts {
  readonly authenticateClient: AuthenticateClient;
  readonly grants: Pick<GrantRecords, 'find' | 'use'>;
  readonly refreshTokens: RefreshTokens;
  readonly addresses: Addresses;
  readonly issue: IssueOAuthToken;
  /** Told when it could not be noted that the grant was used. */
  readonly onLoss: (error: unknown) => void;
}

/** Give a client new tokens for its refresh token, which is spent (RFC 6749 section 6). */
export function oauthRefresh(parts: OAuthRefreshParts): Grant {
  const { authenticateClient, grants, refreshTokens, addresses, issue } = parts;
  return async (request) => {
    const { form, context, jkt } = request;
    const client = await authenticateClient(form, context.http?.headers['authorization']);
    const { refresh_token: value } = form;
    if (value === undefined) throw refusal('invalid_request', 'refresh_token is missing');
    const found = await refreshTokens.find(value);
    if (found?.kind !== 'oauth' || found.client !== client.id) throw refused();
    const grant = await liveGrant(grants, found.owner, client);
    requireProof(client, request);
    if (found.jkt !== undefined && found.jkt !== jkt) {
      throw refusal('invalid_grant', 'the proof is not of the key that the token is bound to');
    }
    const allowed: readonly string[] = JSON.parse(grant.scopes);
    const held = found.scopes.filter((scope) => allowed.includes(scope));
    const scopes = narrowedScopes(held, form['scope']);
    const resource = narrowedResource(addresses, found.resource, form['resource']);
    // All that the request could lack is there: only now is the token spent.
    const refreshed = await refreshTokens.spend(value);
    if (!refreshed) throw refused();
    const subject = grant.user;
    const token = await issue({
      subject,
      client: client.id,
      scopes,
      resource,
      grant: grant.id,
      notBefore: grant.not_before,
      jkt,
    });
    void grants.use(grant).catch(parts.onLoss);
    return { ...token, refresh_token: refreshed.next.value };
  };
}

function refused() {
  const message = 'the refresh token is unknown, was used, revoked, or has expired';
  return refusal('invalid_grant', message);
}
