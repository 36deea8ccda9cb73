import type { House } from '#contract/house/house';
import type { IdentityHandlers } from '../../../generated/surfaces/identity/routes.ts';
import { createClaimHandlers } from './claim/handlers.ts';
import { createClaimPages } from './claim/page-handlers.ts';
import { serviceAuthRegistration } from './claim/service-auth.ts';
import { withAttempt } from './claim/step-up.ts';
import { type ClaimRoom, createClaimRoom } from './create-claims.ts';
import { createGrants } from './create-grants.ts';
import type { Identity } from './create-identity.ts';
import type { OAuth } from './create-oauth.ts';
import { createDiscoveryHandlers } from './discovery/handlers.ts';
import { tokenProofs } from './dpop/check-proof.ts';
import { createTokenHandlers } from './grants/handlers.ts';
import { createKeyHandlers } from './keys/handlers.ts';
import { createAgentsHandlers } from './people/agents-handlers.ts';
import { createPeopleHandlers } from './people/handlers.ts';
import { anonymousRegistration } from './registration/anonymous.ts';
import { assertedRegistration, idJagType } from './registration/asserted.ts';
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
  const { registrations: records, place, minting, signatures, people } = identity;
  const room = createClaimRoom(identity, oauth);
  const { tenant, now } = place;
  const verify = identity.verifyToken;
  return {
    ...createKeyHandlers(identity.signingKeys),
    ...createDiscoveryHandlers(identity.discovery),
    ...createPeopleHandlers(identity.people, house),
    ...createAgentsHandlers(
      { ...identity, revoke: identity.revokeRegistration, others: oauth.allowedAgents },
      house.pages,
    ),
    ...createClaimHandlers(
      { ...room, pages: createClaimPages({ ...room, people, now }, house.pages) },
      house,
    ),
    ...createRegistrationHandlers(createRegisters(identity, oauth, room)),
    ...createOwnRegistration(records),
    ...createTokenHandlers(
      createGrants(identity, oauth, room),
      identity.revocations,
      tokenProofs(oauth.proofs),
    ),
    ...oauth.handlers,
    ...createTokenInquiries({
      mayIntrospect: oauth.mayIntrospect,
      ownerOf: oauth.ownerOf,
      introspect: createIntrospect({ ...identity, records, now, verify }),
      revoke: createRevoke({
        ...{ ...identity, records, tenant, now },
        verify: (token) => verify(token, true),
        verifyAssertion: (jwt) => verifyAssertion(jwt, { ...minting, signatures }),
      }),
    }),
  };
}

/** The ways to register; a room that brings one along adds it here. */
function createRegisters(identity: Identity, oauth: OAuth, room: ClaimRoom): Registers {
  const { registrations: records, quotas, config, place } = identity;
  const { registrationsPerNetwork: perNetwork, registrationsPerHour: inAll } = config;
  const serviceAuth = serviceAuthRegistration({
    ...{ ...identity, ...room, records },
    claimAuth: identity.people.claimAuth,
  });
  return {
    anonymous: anonymousRegistration({
      ...{ ...identity, records },
      takeQuota: registrationQuota(quotas, 'anonymous', { perNetwork, inAll }),
    }),
    service_auth: serviceAuth,
    identity_assertion: assertedRegistration({
      verified_email: serviceAuth,
      ...(oauth.hasIssuers && {
        [idJagType]: withAttempt(oauth.registerAssertion, { ...room, records, place }),
      }),
    }),
    refresh: refreshRegistration({ ...identity, records, personOf: room.delivery.personOf }),
  };
}
