import type { Addresses } from '../addresses.ts';
import type { AuthenticateClient } from '../clients/authenticate-client.ts';
import type { DelegationRecords } from '../records/delegations.ts';
import { parseScope, type Scopes } from '../scopes/catalogue.ts';
import { AssertionRefused } from '../trust/assertion-refusal.ts';
import { foreignSubject } from '../trust/foreign-subject.ts';
import { type IdJagParts, tokenUse, verifyIdJag } from '../trust/id-jag.ts';
import { verifyWorkload } from '../trust/workload.ts';
import { requestedResource } from './agent-token.ts';
import { refusal, type TokenAnswer, type TokenRequest } from './grant.ts';
import type { TrustedAssertions } from './jwt-bearer.ts';
import { type IssueOAuthToken, narrowedScopes, requireProof } from './oauth-token.ts';

export interface TrustedAssertionParts {
  readonly trust: IdJagParts;
  readonly authenticateClient: AuthenticateClient;
  readonly delegations: Pick<DelegationRecords, 'find'>;
  readonly addresses: Addresses;
  readonly scopes: Scopes;
  readonly issue: IssueOAuthToken;
  /** Write down that an assertion was refused, before anybody is told; it never fails. */
  readonly onRefused: (code: string) => Promise<void>;
}

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Give an access token for an assertion of somebody who is trusted here; its type says of what kind. */
export function trustedAssertions(parts: TrustedAssertionParts): TrustedAssertions {
  return async (assertion, request) => {
    const { decodeProtectedHeader } = await import('jose');
    try {
      const { typ } = decodeProtectedHeader(assertion);
      const isIdJag = String(typ).toLowerCase().endsWith('oauth-id-jag+jwt');
      return isIdJag
        ? await idJag(assertion, request, parts)
        : await workload(assertion, request, parts);
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      if (!(error instanceof AssertionRefused)) throw error;
      await parts.onRefused(error.code);
      throw refusal('invalid_grant', error.message);
    }
  };
}

/** An ID-JAG directly (MCP, enterprise-managed authorization); there is no refresh token. */
async function idJag(
  assertion: string,
  request: TokenRequest,
  parts: TrustedAssertionParts,
): Promise<TokenAnswer> {
  const { form, context, jkt } = request;
  const { addresses, delegations, scopes } = parts;
  const client = await parts.authenticateClient(form, context.http?.headers['authorization']);
  if (!client.grantTypes.includes(jwtBearer)) {
    throw refusal('unauthorized_client', `the client may not use ${jwtBearer}`);
  }
  const jag = await verifyIdJag(assertion, tokenUse(addresses), parts.trust);
  if (jag.clientId !== client.id) {
    throw refusal('invalid_grant', 'the assertion was issued to another client');
  }
  requireBoundProof(jag, request);
  requireProof(client, request);
  const grantable = scopes.ofTier('pre', 'post', 'ask', 'oauth');
  const wanted = form['scope'] === undefined ? undefined : parseScope(form['scope']);
  const carried = jag.scopes ?? wanted ?? ['mcp.tools'];
  const granted = (wanted ?? carried).filter(
    (scope) =>
      carried.includes(scope) &&
      grantable.includes(scope) &&
      (jag.issuer.scopes?.includes(scope) ?? true) &&
      (client.scopes?.includes(scope) ?? true),
  );
  if (granted.length === 0)
    throw refusal('invalid_scope', 'the assertion carries none of the scopes');
  const resource = jag.resource ?? addresses.mcp();
  if (form['resource'] !== undefined && addresses.resource(form['resource']) !== resource) {
    throw refusal('invalid_target', 'the resource is not the one of the assertion');
  }
  const { issuer, issuerTenant, subject } = jag;
  const whom = { issuer: issuer.issuer, issuerTenant, subject };
  const user = await delegations.find(whom);
  return parts.issue({
    subject: user ?? foreignSubject(whom),
    // With this it ends when the provider says so.
    grant: foreignSubject(whom),
    ...{ client: client.id, scopes: granted, resource, jkt, authTime: jag.authTime, amr: jag.amr },
  });
}

/** A program that its platform vouches for (MCP, workload identity federation). */
async function workload(
  assertion: string,
  request: TokenRequest,
  parts: TrustedAssertionParts,
): Promise<TokenAnswer> {
  const { form, jkt } = request;
  const verified = await verifyWorkload(assertion, parts.trust);
  const { subject, issuer, scopes } = verified;
  requireBoundProof(verified, request);
  if (scopes.length === 0) {
    throw refusal('unauthorized_client', 'no rule of its issuer gives this workload anything');
  }
  const granted = narrowedScopes(scopes, form['scope']);
  const resource = requestedResource(parts.addresses, form['resource']);
  const id = foreignSubject({ issuer, issuerTenant: '', subject });
  return parts.issue({ subject: id, grant: id, client: subject, scopes: granted, resource, jkt });
}

/** Who has stolen an assertion that is bound to a key lacks the key (RFC 9449 section 6). */
function requireBoundProof(
  { jkt }: { readonly jkt: string | undefined },
  request: TokenRequest,
): void {
  if (jkt === undefined || jkt === request.jkt) return;
  throw refusal('invalid_grant', 'the proof of the key that the assertion is bound to is missing');
}
