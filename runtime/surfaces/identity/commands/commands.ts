import type { House } from '#contract/house/house';
import type { SurfaceCommand } from '#contract/surface/surface-module';
import type { Identity } from '../create-identity.ts';
import type { OAuth } from '../create-oauth.ts';
import { agentsCommand } from './agents.ts';
import { allowedClients } from './allowed-clients.ts';
import { developmentToken } from './development-token.ts';
import { keysCommand } from './keys.ts';
import { registeredAgents } from './registered-agents.ts';
import { noteAtTerminal } from './terminal-notes.ts';

/** What the operator can have done at the terminal. */
export function createCommands(
  identity: Identity,
  oauth: Pick<OAuth, 'grants' | 'endGrant'>,
  jobs: House['jobs'],
): Readonly<Record<'token' | 'agents' | 'keys', SurfaceCommand>> {
  const { registrations: records, revokeQuietly: revoke, place } = identity;
  const note = noteAtTerminal(jobs, place.tenant);
  return {
    token: developmentToken({ ...identity, note }),
    agents: agentsCommand([
      registeredAgents({ records, revoke, note, now: place.now }),
      allowedClients({ ...oauth, note }),
    ]),
    keys: keysCommand(identity.signingKeys),
  };
}
