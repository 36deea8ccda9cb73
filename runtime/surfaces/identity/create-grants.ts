import type { ClaimRoom } from './create-claims.ts';
import type { Identity } from './create-identity.ts';
import type { OAuth } from './create-oauth.ts';
import { agentRefresh } from './grants/agent-refresh.ts';
import { agentTokens } from './grants/agent-token.ts';
import { claimGrant } from './grants/claim.ts';
import type { Grants } from './grants/grant.ts';
import { jwtBearer, jwtBearerType } from './grants/jwt-bearer.ts';
import { ownAssertion } from './grants/own-assertion.ts';
import { refreshGrant } from './grants/refresh.ts';

/** The grants of the token endpoint; a room that brings one along adds it here. */
export function createGrants(identity: Identity, oauth: OAuth, room: ClaimRoom): Grants {
  const { registrations: records, minting, signatures, place } = identity;
  const issue = agentTokens({ ...identity, records, tenant: place.tenant });
  return {
    [jwtBearerType]: jwtBearer({
      own: ownAssertion({ records, verification: { ...minting, signatures }, issue }),
      trusted: oauth.trusted,
    }),
    'urn:workos:agent-auth:grant-type:claim': claimGrant({ ...room, place, issue }),
    refresh_token: refreshGrant({
      agent: agentRefresh({ ...identity, records, issue }),
      oauth: oauth.refresh,
    }),
    ...oauth.tokenGrants,
  };
}
