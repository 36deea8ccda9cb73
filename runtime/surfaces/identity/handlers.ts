import type { House } from '#contract/house/house';
import type { IdentityHandlers } from '../../../generated/surfaces/identity/routes.ts';
import type { Identity } from './create-identity.ts';
import { createDiscoveryHandlers } from './discovery/handlers.ts';
import { createKeyHandlers } from './keys/handlers.ts';
import { createPeopleHandlers } from './people/handlers.ts';

/** What the routes of this surface do; each room has its own. */
export function createHandlers(
  { signingKeys, discovery, people }: Identity,
  house: Pick<House, 'pages' | 'log'>,
): IdentityHandlers {
  return {
    ...createKeyHandlers(signingKeys),
    ...createDiscoveryHandlers(discovery),
    ...createPeopleHandlers(people, house),
  };
}
