import type { Addresses } from '../addresses.ts';
import type { AuthenticateClient } from '../clients/authenticate-client.ts';
import { requestedResource } from './agent-token.ts';
import { type Grant, refusal } from './grant.ts';
import { type IssueOAuthToken, narrowedScopes, requireProof } from './oauth-token.ts';

export interface ClientCredentialsParts {
  readonly authenticateClient: AuthenticateClient;
  readonly addresses: Addresses;
  readonly issue: IssueOAuthToken;
}

const name = 'client_credentials';

/**
 * Give a client of the operator a token of its own (RFC 6749 section 4.4). It has what the operator
 * has listed for it, and the least where that is nothing.
 */
export function clientCredentials(parts: ClientCredentialsParts): Grant {
  const { authenticateClient, addresses, issue } = parts;
  return async (request) => {
    const { form, context, jkt } = request;
    const client = await authenticateClient(form, context.http?.headers['authorization']);
    const { kind, method, grantTypes, id } = client;
    if (kind !== 'configured' || method === 'none' || !grantTypes.includes(name)) {
      throw refusal('unauthorized_client', `the client may not use ${name}`);
    }
    requireProof(client, request);
    const scopes = narrowedScopes(client.scopes ?? ['mcp.tools'], form['scope']);
    const resource = requestedResource(addresses, form['resource']);
    return issue({ subject: id, client: id, scopes, resource, jkt });
  };
}
