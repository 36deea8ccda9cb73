import type { CallContext } from '#contract/caller';
import type { House } from '#contract/house/house';
import { revokeGrants } from './authorize/allowed-clients.ts';
import { Authorization } from './authorize/authorization.ts';
import { grantableScopes } from './authorize/grantable.ts';
import { createAuthorizeHandlers } from './authorize/handlers.ts';
import { createClientAuthentication } from './clients/authenticate-client.ts';
import { Clients } from './clients/clients.ts';
import { parseConfiguredClients } from './clients/configured-clients.ts';
import { createClientHandlers } from './clients/handlers.ts';
import { tokenOwners } from './clients/token-owner.ts';
import type { Identity } from './create-identity.ts';
import { Elevation } from './elevation/elevation.ts';
import { createElevationHandlers } from './elevation/handlers.ts';
import { createEventHandlers } from './events/handlers.ts';
import { authorizationCode } from './grants/authorization-code.ts';
import { clientCredentials } from './grants/client-credentials.ts';
import type { Grants } from './grants/grant.ts';
import { oauthRefresh } from './grants/oauth-refresh.ts';
import { oauthTokens } from './grants/oauth-token.ts';
import { tokenExchange } from './grants/token-exchange.ts';
import { trustedAssertions } from './grants/trusted-assertion.ts';
import { allowedAgents } from './people/allowed-agents.ts';
import { createAuthorizationRequestRecords } from './records/authorization-requests.ts';
import { createClientRecords } from './records/clients.ts';
import { createDelegationRecords } from './records/delegations.ts';
import { createElevationRecords } from './records/elevations.ts';
import { createGrantRecords } from './records/grants.ts';
import { createRevocationRecords } from './records/revocations.ts';
import { createSeenIdRecords } from './records/seen-ids.ts';
import { registrationQuota } from './registration/quotas.ts';
import { freshLogins } from './trust/fresh-logins.ts';
import { assertionRegistration } from './trust/register-assertion.ts';
import { parseTrustedIssuers } from './trust/trusted-issuers.ts';
import type { VouchingParts } from './trust/vouched.ts';

/**
 * Put together what clients of OAuth and issuers of others use.
 *
 * @throws ConfigError
 */
export function createOAuth(identity: Identity, house: Pick<House, 'outbound' | 'pages' | 'log'>) {
  const { place, config, addresses, events, scopes, people, onLoss, minting, outbox } = identity;
  const { tenant, now } = place;
  const { outbound, pages } = house;
  const seen = createSeenIdRecords(place);
  const grants = createGrantRecords(place);
  const delegations = createDelegationRecords(place);
  const configured = parseConfiguredClients(config.oauthClients);
  const clients = new Clients({
    ...{ configured, records: createClientRecords(place), outbound, outbox, log: house.log, now },
  });
  const authenticateClient = createClientAuthentication({
    ...{ clients, outbound, seen, now },
    issuer: addresses.base,
  });
  const rules = {
    resource: (asked: string | undefined) =>
      asked === undefined ? addresses.mcp() : addresses.resource(asked),
    grantable: grantableScopes(scopes),
  };
  const requests = createAuthorizationRequestRecords(place);
  const authorization = new Authorization({
    ...{ clients, grants, requests, addresses, rules, outbox, place, now },
  });
  const issue = oauthTokens({ minting, events, tenant });
  const issuers = parseTrustedIssuers(config.trustedIssuers);
  const logins = freshLogins(identity.revocations);
  const trust = { issuers, outbound, now, addresses, seen, logins };
  const onRefused = (code: string) => {
    const actor = { type: 'system', id: 'identity' } as const;
    const facts = { actor, tenant, outcome: 'denied', payload: { code } } as const;
    return events.idjagRejected(facts).then(() => undefined, onLoss);
  };
  const vouching: VouchingParts = {
    ...{ ...trust, scopes, delegations, users: people.users, onRefused },
    takeQuota: registrationQuota(identity.quotas, 'identity_assertion', {
      perNetwork: 60,
      inAll: 1000,
    }),
  };
  /** Only clients that the operator knows learn what tokens of others are worth. */
  const mayIntrospect = async (
    form: Readonly<Record<string, string>>,
    { http }: CallContext,
  ): Promise<boolean> => {
    const { kind, method } = await authenticateClient(form, http?.headers['authorization']);
    return kind === 'configured' && method !== 'none';
  };
  const ending = {
    ...{ place, grants, marks: createRevocationRecords(place), outbox },
    ...{ refreshTokens: identity.refreshTokenRecords, revocations: identity.revocations },
  };
  const revokeGrant = revokeGrants(ending);
  const parts = { ...identity, authenticateClient, grants, revokeGrant, addresses, issue, now };
  const elevation = new Elevation({
    ...{ addresses, scopes, grants, clients, outbox, place, now },
    registrations: identity.registrations,
    records: createElevationRecords(place),
    key: () => identity.keys('identity elevation'),
  });
  return {
    clients,
    authenticateClient,
    grants,
    revokeGrant,
    allowedAgents: allowedAgents({ grants, revokeGrant, scopes }),
    mayIntrospect,
    ownerOf: tokenOwners({ clients, authenticateClient }),
    remedy: elevation.remedy,
    proofs: { addresses, seen, now },
    hasIssuers: issuers.size > 0,
    /** What an issuer is called in the list of those that are trusted. */
    issuerName: (issuer: string) => issuers.get(issuer)?.name,
    isRegistrationOpen: config.clientRegistration,
    refresh: oauthRefresh(parts),
    trusted: trustedAssertions({ ...parts, trust, delegations, onRefused }),
    tokenGrants: {
      authorization_code: authorizationCode(parts),
      client_credentials: clientCredentials(parts),
      'urn:ietf:params:oauth:grant-type:token-exchange': tokenExchange({
        ...parts,
        verify: identity.verifyToken,
      }),
    } satisfies Grants,
    vouching: issuers.size > 0 ? vouching : undefined,
    registerAssertion: assertionRegistration({
      ...{ ...identity, ...vouching, records: identity.registrations },
    }),
    handlers: {
      ...createAuthorizeHandlers({
        ...{ authorization, authenticateClient, pages, scopes, tenant },
        sessions: people.sessions,
      }),
      ...createElevationHandlers({
        ...{ elevation, pages, scopes, tenant },
        sessions: people.sessions,
      }),
      ...createClientHandlers({ clients, isOpen: config.clientRegistration }),
      ...createEventHandlers({ ...identity, ...trust, delegations }),
    },
  };
}

export type OAuth = ReturnType<typeof createOAuth>;
