import type { ProtectedResource } from '../../../../generated/surfaces/identity/types.ts';
import type { Addresses } from '../addresses.ts';
import type { ListedScopes } from './listed-scopes.ts';
import type { Offers } from './offers.ts';

/** Describe one of our resources (RFC 9728 section 2). */
export function resourceMetadata(
  resource: string,
  {
    addresses,
    scopes,
    offers,
  }: { addresses: Addresses; scopes: readonly string[]; offers: Offers },
): ProtectedResource {
  const servers = [offers.externalIssuer, addresses.base()].filter((each) => each !== undefined);
  return {
    resource,
    authorization_servers: servers,
    scopes_supported: [...scopes],
    bearer_methods_supported: ['header'],
    resource_name: 'Agent Tool Server',
    resource_documentation: addresses.url('/auth.md'),
    ...(offers.hasDpop && {
      dpop_signing_alg_values_supported: ['ES256', 'EdDSA'],
      dpop_bound_access_tokens_required: false,
    }),
  };
}

/** Which scopes stand in the document of a resource: of the MCP endpoint the fewest. */
export function scopesOf(resource: string, addresses: Addresses, scopes: ListedScopes) {
  return resource === addresses.mcp() ? scopes.mcp : scopes.all;
}
