import { hash } from 'node:crypto';
import type { Addresses } from '../addresses.ts';
import type { RevokeGrant } from '../authorize/allowed-clients.ts';
import type { AuthenticateClient } from '../clients/authenticate-client.ts';
import type { OAuthClient } from '../clients/client.ts';
import type { CodeRow, GrantRecords } from '../records/grants.ts';
import { isSame } from '../secrets/keyed-hash.ts';
import { secretHash } from '../secrets/secret.ts';
import type { RefreshTokens } from '../tokens/refresh-tokens.ts';
import { type Grant, refusal, type TokenRequest } from './grant.ts';
import { type IssueOAuthToken, liveGrant, narrowedResource, requireProof } from './oauth-token.ts';

export interface CodeParts {
  readonly authenticateClient: AuthenticateClient;
  readonly grants: GrantRecords;
  readonly refreshTokens: RefreshTokens;
  readonly revokeGrant: RevokeGrant;
  readonly addresses: Addresses;
  readonly issue: IssueOAuthToken;
  readonly now: () => number;
  /** Told when it could not be noted that the grant was used. */
  readonly onLoss: (error: unknown) => void;
}

/** Give a client tokens for the code that a person has sent it (OAuth 2.1 section 4.1.3). */
export function authorizationCode(parts: CodeParts): Grant {
  const { authenticateClient, grants, refreshTokens, addresses, issue } = parts;
  return async (request) => {
    const { form, context, jkt } = request;
    const client = await authenticateClient(form, context.http?.headers['authorization']);
    if (form['code'] === undefined) throw refusal('invalid_request', 'code is missing');
    const row = await grants.findCode(secretHash(form['code']));
    if (!row || row.client !== client.id) throw refused();
    if (row.used_at !== null) throw await reused(row, parts);
    checkCode(row, request, client, parts.now());
    const resource = narrowedResource(addresses, row.resource, form['resource']);
    const grant = await liveGrant(grants, row.grant, client);
    // One of several at the same time gets the tokens; from the others they are taken away again.
    if (!(await grants.spendCode(row.hash))) throw await reused(row, parts);
    const scopes: readonly string[] = JSON.parse(row.scopes);
    const token = await issue({
      ...{ subject: grant.user, client: client.id, scopes, resource, grant: grant.id, jkt },
      notBefore: grant.not_before,
      authTime: row.auth_time,
      amr: JSON.parse(row.amr),
    });
    const refresh = !client.grantTypes.includes('refresh_token')
      ? undefined
      : await refreshTokens.issue({
          ...{ kind: 'oauth', owner: grant.id, client: client.id, scopes },
          resource: row.resource,
          // Only of a public client (RFC 9449 section 5): others prove themselves anyway.
          jkt: client.method === 'none' ? jkt : undefined,
        });
    // Whoever came second meanwhile has ended it before these were there to be ended.
    await liveGrant(grants, row.grant, client);
    void grants.use(grant).catch(parts.onLoss);
    return { ...token, ...(refresh && { refresh_token: refresh.value }) };
  };
}

/** @throws ServiceError */
function checkCode(row: CodeRow, request: TokenRequest, client: OAuthClient, now: number): void {
  const { form, jkt } = request;
  if (row.expires_at <= now) throw refused();
  const redirect = form['redirect_uri'];
  // OAuth 2.1 needs it no more, but where it comes it must be the same (RFC 6749 section 4.1.3).
  if (
    row.redirect_uri === ''
      ? redirect !== undefined && !client.redirectUris.includes(redirect)
      : redirect !== undefined && redirect !== row.redirect_uri
  ) {
    throw refusal('invalid_grant', 'redirect_uri is not that of the authorization request');
  }
  const verifier = form['code_verifier'] ?? '';
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) {
    throw refusal('invalid_grant', 'code_verifier is missing, or none of RFC 7636 section 4.1');
  }
  if (!isSame(hash('sha256', verifier, 'base64url'), row.challenge)) {
    throw refusal('invalid_grant', 'code_verifier does not belong to the code');
  }
  if (row.jkt !== '' && row.jkt !== jkt) {
    throw refusal('invalid_grant', 'the proof is not of the key that the code is bound to');
  }
  requireProof(client, request);
}

/** A code that comes twice was stolen: what came of it is taken back (RFC 9700 section 2.1.1). */
async function reused(row: CodeRow, parts: CodeParts) {
  await parts.revokeGrant(row.grant, { type: 'agent', id: row.client.slice(0, 500) }, 'denied');
  return refused();
}

function refused() {
  return refusal('invalid_grant', 'the code is unknown, was used, or has expired');
}
