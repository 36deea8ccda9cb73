import type { IdentityHandlers } from '../../../generated/surfaces/identity/routes.ts';
import type { Identity } from './create-identity.ts';
import { createDiscoveryHandlers } from './discovery/handlers.ts';
import { createKeyHandlers } from './keys/handlers.ts';

/** What the routes of this surface do; each room has its own. */
export function createHandlers({ signingKeys, discovery }: Identity): IdentityHandlers {
  return { ...createKeyHandlers(signingKeys), ...createDiscoveryHandlers(discovery) };
}
