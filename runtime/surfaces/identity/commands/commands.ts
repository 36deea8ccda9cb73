import type { SurfaceCommand } from '#contract/surface/surface-module';
import type { Identity } from '../create-identity.ts';
import type { OAuth } from '../create-oauth.ts';
import { agentsCommand } from './agents.ts';
import { allowedClients } from './allowed-clients.ts';
import { developmentToken } from './development-token.ts';
import { keysCommand } from './keys.ts';
import { registeredAgents } from './registered-agents.ts';

/** What the operator can have done at the terminal. */
export function createCommands(
  identity: Identity,
  oauth: Pick<OAuth, 'grants' | 'revokeGrant'>,
): Readonly<Record<'token' | 'agents' | 'keys', SurfaceCommand>> {
  const { registrations: records, revokeRegistration: revoke, place } = identity;
  return {
    token: developmentToken(identity),
    agents: agentsCommand([
      registeredAgents({ records, revoke, now: place.now }),
      allowedClients(oauth),
    ]),
    keys: keysCommand(identity.signingKeys),
  };
}
