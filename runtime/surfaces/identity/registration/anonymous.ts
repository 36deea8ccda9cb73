import type { Addresses } from '../addresses.ts';
import type { Scopes } from '../scopes/catalogue.ts';
import { mintAssertion } from '../tokens/assertion.ts';
import type { Minting } from '../tokens/issue-token.ts';
import { assertionMembers, claimMembers, registrationMembers, scopeMembers } from './answer.ts';
import { boundKey } from './bound-key.ts';
import { newRegistration } from './new-registration.ts';
import type { AddRegistration } from './notes.ts';
import { networkOf } from './quotas.ts';
import type { Register } from './register.ts';
import { grantedSets } from './scope-sets.ts';

export interface AnonymousParts {
  readonly addRegistration: AddRegistration;
  readonly minting: Minting;
  readonly addresses: Addresses;
  readonly scopes: Scopes;
  readonly takeQuota: (network: string) => Promise<void>;
}

/** Register an agent for which nobody vouches; a person can claim it within a day. */
export function anonymousRegistration(parts: AnonymousParts): Register {
  const { addRegistration, minting, addresses, scopes, takeQuota } = parts;
  return async (body, context) => {
    const sets = grantedSets(scopes, body.scopes);
    const jkt = await boundKey(body.jwk);
    const network = networkOf(context);
    await takeQuota(network);
    const { client_name: clientName, software_id: softwareId } = body;
    const { registration, claimToken } = newRegistration(
      { kind: 'anonymous', clientName, softwareId, network, scopes: sets, jkt },
      minting.now(),
    );
    await addRegistration(registration);
    const assertion = await mintAssertion(minting, registration);
    return {
      status: 200,
      registration: registration.id,
      body: {
        ...registrationMembers(registration),
        status: 'unclaimed',
        ...assertionMembers(assertion),
        ...scopeMembers(registration),
        ...claimMembers(addresses, claimToken, registration.expiresAt),
      },
    };
  };
}
