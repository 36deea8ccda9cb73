import type { House } from '#contract/house/house';
import type { ScopeCatalogue } from '#contract/scope';
import { type Addresses, createAddresses } from '../addresses.ts';
import { type ListedScopes, listedScopes } from './listed-scopes.ts';
import type { Offers } from './offers.ts';

/** What the documents for clients and agents are made of. */
export interface Discovery {
  readonly addresses: Addresses;
  readonly offers: Offers;
  readonly scopes: ListedScopes;
  readonly catalogue: ScopeCatalogue;
  /** Whom agents and their people can write to. */
  readonly contact: string | undefined;
}

/** Put it together. */
export function createDiscovery(
  house: Pick<House, 'address' | 'scopes' | 'providers' | 'contact'>,
  offers: Offers,
): Discovery {
  const addresses = createAddresses(house.address);
  return {
    addresses,
    offers,
    scopes: listedScopes(house),
    catalogue: house.scopes,
    contact: house.contact,
  };
}
