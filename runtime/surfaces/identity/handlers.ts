import type { House } from '#contract/house/house';
import type { IdentityHandlers } from '../../../generated/surfaces/identity/routes.ts';
import { createGrants } from './create-grants.ts';
import type { Identity } from './create-identity.ts';
import type { OAuth } from './create-oauth.ts';
import { createDiscoveryHandlers } from './discovery/handlers.ts';
import { tokenProofs } from './dpop/check-proof.ts';
import { createTokenHandlers } from './grants/handlers.ts';
import { createKeyHandlers } from './keys/handlers.ts';
import { createPeopleHandlers } from './people/handlers.ts';
import { anonymousRegistration } from './registration/anonymous.ts';
import { createRegistrationHandlers } from './registration/handlers.ts';
import { createOwnRegistration } from './registration/own-registration.ts';
import { registrationQuota } from './registration/quotas.ts';
import { refreshRegistration } from './registration/refresh.ts';
import type { Registers } from './registration/register.ts';
import { verifyAssertion } from './tokens/assertion.ts';
import { createTokenInquiries } from './tokens/handlers.ts';
import { createIntrospect } from './tokens/introspect.ts';
import { createRevoke } from './tokens/revoke.ts';

/** What the routes of this surface do; each room has its own. */
export function createHandlers(
  identity: Identity,
  oauth: OAuth,
  house: Pick<House, 'pages' | 'log'>,
): IdentityHandlers {
  const { registrations: records, place, minting } = identity;
  const { tenant, now } = place;
  const verify = identity.verifyToken;
  return {
    ...createKeyHandlers(identity.signingKeys),
    ...createDiscoveryHandlers(identity.discovery),
    ...createPeopleHandlers(identity.people, house),
    ...createRegistrationHandlers(createRegisters(identity, oauth)),
    ...createOwnRegistration(records),
    ...createTokenHandlers(createGrants(identity, oauth), tokenProofs(oauth.proofs)),
    ...oauth.handlers,
    ...createTokenInquiries({
      mayIntrospect: oauth.mayIntrospect,
      introspect: createIntrospect({ ...identity, records, now, verify }),
      revoke: createRevoke({
        ...{ ...identity, records, tenant, now },
        verify: (token) => verify(token, true),
        verifyAssertion: (jwt) => verifyAssertion(jwt, minting),
      }),
    }),
  };
}

/** The ways to register; a room that brings one along adds it here. */
function createRegisters(identity: Identity, oauth: OAuth): Registers {
  const { registrations: records, quotas, config } = identity;
  const { registrationsPerNetwork: perNetwork, registrationsPerHour: inAll } = config;
  return {
    anonymous: anonymousRegistration({
      ...{ ...identity, records },
      takeQuota: registrationQuota(quotas, 'anonymous', { perNetwork, inAll }),
    }),
    ...(oauth.hasIssuers && { identity_assertion: oauth.registerAssertion }),
    refresh: refreshRegistration({ ...identity, records, personOf: async () => undefined }),
  };
}
