import type { JsonObject } from '#contract/json';
import type { Addresses } from '../addresses.ts';
import type { ClaimAuth } from '../people/claim-auth.ts';
import type { Place } from '../records/place.ts';
import { claimMembers, registrationMembers } from '../registration/answer.ts';
import { newRegistration } from '../registration/new-registration.ts';
import type { AddRegistration } from '../registration/notes.ts';
import { networkOf } from '../registration/quotas.ts';
import { type Register, refusedRegistration } from '../registration/register.ts';
import { grantedSets } from '../registration/scope-sets.ts';
import type { Scopes } from '../scopes/catalogue.ts';
import { ceremonyMembers, linkMembers } from './attempt-members.ts';
import type { ClaimLimits } from './claim-limits.ts';
import type { Claims } from './claims.ts';
import { disabledRefusal } from './refusals.ts';
import { requestedHint } from './requested-hint.ts';

export interface ServiceAuthParts {
  readonly claims: Claims;
  readonly limits: ClaimLimits;
  readonly claimAuth: () => ClaimAuth;
  readonly addRegistration: AddRegistration;
  readonly place: Place;
  readonly addresses: Addresses;
  readonly scopes: Scopes;
}

/**
 * Register an agent for a person, who has to claim it before it can do anything. The answer is the
 * same whether anybody with this address was ever here.
 */
export function serviceAuthRegistration(parts: ServiceAuthParts): Register {
  const { claims, limits, addRegistration, place, addresses, scopes } = parts;
  return async (body, context) => {
    if (parts.claimAuth() === 'none') throw disabledRefusal();
    const hint = requestedHint(body);
    if (hint === undefined) {
      throw refusedRegistration('invalid_request', 400, 'email or login_hint is missing');
    }
    const { post } = grantedSets(scopes, body.scopes);
    const network = networkOf(context);
    await limits.register(network, hint);
    const { client_name: clientName, software_id: softwareId } = body;
    const { registration, claimToken } = newRegistration(
      { kind: 'service_auth', clientName, softwareId, network, scopes: { pre: [], post }, hint },
      place.now(),
    );
    await addRegistration(registration);
    const attempt = await claims.mint(registration.id, hint);
    const ceremony: JsonObject = {
      ...ceremonyMembers(attempt, place.now()),
      attempt: linkMembers(attempt),
    };
    return {
      status: 200,
      registration: registration.id,
      body: {
        ...registrationMembers(registration),
        status: 'pending_claim',
        post_claim_scopes: registration.postScopes,
        scopes: { post_claim: registration.postScopes },
        claim_attempt_id: attempt.id,
        ...claimMembers(addresses, claimToken, registration.expiresAt, ceremony),
      },
    };
  };
}
