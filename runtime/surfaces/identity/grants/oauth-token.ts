import type { IdentityEvents } from '../../../../generated/surfaces/identity/events.ts';
import type { Addresses } from '../addresses.ts';
import type { OAuthClient } from '../clients/client.ts';
import type { GrantRecords, GrantRow } from '../records/grants.ts';
import { parseScope } from '../scopes/catalogue.ts';
import type { IssuedToken, TokenGrant } from '../tokens/access-token.ts';
import { issueAccessToken, type Minting } from '../tokens/issue-token.ts';
import { refusal, type TokenRequest } from './grant.ts';

export interface OAuthTokenParts {
  readonly minting: Minting;
  readonly events: Pick<IdentityEvents, 'tokenIssued'>;
  readonly tenant: string;
}

/** Issues a token to a client, and writes down that it did. */
export type IssueOAuthToken = (grant: TokenGrant) => Promise<IssuedToken>;

/** Make what issues tokens to clients of OAuth. */
export function oauthTokens({ minting, events, tenant }: OAuthTokenParts): IssueOAuthToken {
  return async (grant) => {
    const { id, ...issued } = await issueAccessToken(minting, grant);
    const actor = { type: 'agent', id: grant.subject } as const;
    const payload = { jti: id, resource: grant.resource, scope: issued.scope.slice(0, 2000) };
    // It leaves when its entry is on the disk: after a crash there is none that nobody knows of.
    await events.tokenIssued({ tenant, actor, subject: grant.client.slice(0, 500), payload });
    return issued;
  };
}

/**
 * What is left of a resource: the MCP endpoint is a part of the whole, nothing else is (RFC 8707
 * section 2.2).
 *
 * @throws ServiceError `invalid_target`
 */
export function narrowedResource(
  addresses: Addresses,
  granted: string,
  asked: string | undefined,
): string {
  if (asked === undefined) return granted;
  const resource = addresses.resource(asked);
  if (resource === granted) return granted;
  if (resource === addresses.mcp() && granted === addresses.base()) return resource;
  throw refusal('invalid_target', 'the resource is not the one that was granted');
}

/**
 * What is left of scopes.
 *
 * @throws ServiceError `invalid_scope` where more is asked for than there is, or nothing is left
 */
export function narrowedScopes(
  granted: readonly string[],
  asked: string | undefined,
): readonly string[] {
  const wanted = asked === undefined ? granted : parseScope(asked);
  if (wanted.length > 0 && wanted.every((scope) => granted.includes(scope))) return wanted;
  throw refusal('invalid_scope', 'scope asks for more than was granted, or for nothing');
}

/** What a person still allows, as long as the client is what it was when they did. */
export async function liveGrant(
  grants: Pick<GrantRecords, 'find'>,
  id: string,
  client: OAuthClient,
): Promise<GrantRow> {
  const grant = await grants.find(id);
  if (grant && grant.client === client.id && grant.client_digest === client.digest) return grant;
  throw refusal('invalid_grant', 'the person does not allow this any more');
}

/** @throws ServiceError where a client that wants bound tokens brings no proof */
export function requireProof({ wantsDpop }: OAuthClient, { jkt }: TokenRequest): void {
  if (!wantsDpop || jkt !== undefined) return;
  throw refusal('invalid_dpop_proof', 'this client takes bound tokens only: the proof is missing');
}
