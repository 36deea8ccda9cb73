import type {
  AgentAuth,
  AuthorizationServer,
} from '../../../../generated/surfaces/identity/types.ts';
import type { Discovery } from './discovery.ts';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const idJag = 'urn:ietf:params:oauth:token-type:id-jag';
const proofs = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
const algorithms = ['ES256', 'EdDSA', 'RS256'];

type MetadataParts = Omit<Discovery, 'catalogue'>;

/** Describe the authorization server (RFC 8414 section 2). */
export function serverMetadata(parts: MetadataParts): AuthorizationServer {
  const { addresses, offers, scopes } = parts;
  const takesIdJag =
    offers.registrations.includes('identity_assertion') && offers.grants.includes(jwtBearer);
  const at = addresses.url;
  return {
    issuer: addresses.base(),
    ...(offers.canAuthorize && {
      authorization_endpoint: at('/oauth2/authorize'),
      pushed_authorization_request_endpoint: at('/oauth2/par'),
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    }),
    ...(offers.canRegisterClients && { registration_endpoint: at('/oauth2/register') }),
    ...(offers.grants.length > 0 && {
      token_endpoint: at('/.well-known/oauth-authorization-server/token'),
      token_endpoint_auth_methods_supported: ['none', ...proofs],
      token_endpoint_auth_signing_alg_values_supported: algorithms,
    }),
    ...(offers.canRevoke && {
      revocation_endpoint: at('/oauth2/revoke'),
      revocation_endpoint_auth_methods_supported: ['none', ...proofs],
      revocation_endpoint_auth_signing_alg_values_supported: algorithms,
    }),
    ...(offers.canIntrospect && {
      introspection_endpoint: at('/oauth2/introspect'),
      introspection_endpoint_auth_methods_supported: proofs,
      introspection_endpoint_auth_signing_alg_values_supported: algorithms,
    }),
    jwks_uri: at('/.well-known/jwks.json'),
    response_types_supported: offers.canAuthorize ? ['code'] : [],
    response_modes_supported: ['query'],
    grant_types_supported: [...offers.grants],
    ...(takesIdJag && {
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    }),
    ...(offers.hasDpop && { dpop_signing_alg_values_supported: ['ES256', 'EdDSA'] }),
    scopes_supported: [...scopes.all],
    service_documentation: at('/auth.md'),
    ...(offers.registrations.length > 0 && { agent_auth: agentAuth(parts) }),
  };
}

/** What agents read that register themselves. */
function agentAuth({ addresses, offers, scopes }: MetadataParts): AgentAuth {
  const { registrations, canClaim, events } = offers;
  const at = addresses.url;
  return {
    skill: at('/auth.md'),
    identity_endpoint: at('/agent/identity'),
    ...(canClaim && { claim_endpoint: at('/agent/identity/claim') }),
    ...(events.length > 0 && { events_endpoint: at('/agent/event/notify') }),
    identity_types_supported: [...registrations],
    ...(registrations.includes('identity_assertion') && {
      identity_assertion: { assertion_types_supported: [idJag] },
    }),
    ...(events.length > 0 && { events_supported: [...events] }),
    ...(canClaim && {
      claim_view_endpoint: at('/agent/identity/claim/view'),
      claim_complete_endpoint: at('/agent/identity/claim/complete'),
      claim_methods_supported: [
        ...['user_code', 'readback'],
        ...(registrations.includes('identity_assertion') ? ['identity_assertion'] : []),
      ],
    }),
    pre_claim_scopes: [...scopes.mcp],
  };
}
