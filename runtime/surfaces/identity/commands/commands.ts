import type { House } from '#contract/house/house';
import type { SurfaceCommand } from '#contract/surface/surface-module';
import type { Identity } from '../create-identity.ts';
import { agentsCommand } from './agents.ts';
import { developmentToken } from './development-token.ts';
import { noteAtTerminal } from './terminal-notes.ts';

/** What the operator can have done at the terminal. */
export function createCommands(
  identity: Identity,
  jobs: House['jobs'],
): Readonly<Record<string, SurfaceCommand>> {
  const { registrations: records, revokeQuietly: revoke, place } = identity;
  const note = noteAtTerminal(jobs, place.tenant);
  return {
    token: developmentToken({ ...identity, note }),
    agents: agentsCommand({ records, revoke, note, now: place.now }),
  };
}
