import type { House } from '#contract/house/house';
import type { AdmissionParts } from '#contract/surface/admission-parts';
import type { SignedInPeople } from '#contract/surface/people';
import type { SurfaceCommand } from '#contract/surface/surface-module';
import type { IdentityConfig } from '../../../generated/surfaces/identity/config.ts';
import type { IdentityJobs } from '../../../generated/surfaces/identity/jobs.ts';
import type { IdentityHandlers } from '../../../generated/surfaces/identity/routes.ts';
import { createAuthenticate } from './authenticate/authenticate.ts';
import { createChallenges } from './authenticate/challenges.ts';
import { grantableTo } from './authorize/grantable.ts';
import { createCommands } from './commands/commands.ts';
import { createTerminalHandlers } from './commands/handlers.ts';
import { writeTerminalNotes } from './commands/terminal-notes.ts';
import { createIdentity, type Identity, type IdentityNeeds } from './create-identity.ts';
import { createOAuth } from './create-oauth.ts';
import { resourceProofs } from './dpop/check-proof.ts';
import { createHandlers } from './handlers.ts';
import { createSignedInPeople } from './people/signed-in-people.ts';
import { sweepExpired } from './records/sweep.ts';
import { forgetUnclaimed } from './registration/forget.ts';
import { revocationLifeMs } from './tokens/revocations.ts';

/** All that this surface does, ready for use. */
export interface Rooms
  extends Required<Pick<AdmissionParts, 'authenticate' | 'refuse' | 'grantable'>> {
  readonly handlers: IdentityHandlers;
  readonly jobs: IdentityJobs;
  readonly people: SignedInPeople;
  readonly commands: Readonly<Record<'token' | 'agents', SurfaceCommand>>;
}

/**
 * Put all rooms together.
 *
 * @throws ConfigError where the settings do not fit together
 */
export function openRooms(house: Pick<House, IdentityNeeds>, config: IdentityConfig): Rooms {
  const identity = createIdentity(house, config);
  const oauth = createOAuth(identity, house);
  const { mode, place, addresses, revocations, verifyToken: verify } = identity;
  const { tenant, now } = place;
  const challenges = createChallenges(addresses, oauth.remedy);
  const isRequired = mode === 'required';
  const checkProof = resourceProofs(oauth.proofs);
  const known = { isRequired, tenant, now, addresses, revocations, challenges, verify };
  const commands = createCommands(identity, oauth, house.jobs);
  return {
    handlers: {
      ...createHandlers(identity, oauth, house),
      ...createTerminalHandlers(commands, house),
    },
    jobs: createJobs(identity),
    commands,
    people: createSignedInPeople({ ...identity, ...known, grants: oauth.grants }),
    authenticate: createAuthenticate({ ...known, checkProof }),
    refuse: challenges.refuse,
    grantable: grantableTo(identity.scopes, () => identity.people.claimAuth() !== 'none'),
  };
}

function createJobs(identity: Identity): IdentityJobs {
  const { place, signingKeys, registrations, events, revocations, people } = identity;
  return {
    identityKeys: () => signingKeys.rotate(),
    async identityExpiry({ signal }) {
      const { tenant, now } = place;
      await sweepExpired(place, revocationLifeMs);
      await forgetUnclaimed(registrations, events, { tenant, now: now(), signal });
    },
    identityRevocations: () => revocations.follow(),
    identityTerminal: writeTerminalNotes(events),
    identityMail: (job) => people.mail.run(job),
  };
}
