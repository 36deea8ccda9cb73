import type { House } from '#contract/house/house';
import { storeWith } from '#contract/house/store';
import type { IdentityConfig } from '../../../generated/surfaces/identity/config.ts';
import {
  createIdentityEvents,
  type IdentityEvents,
} from '../../../generated/surfaces/identity/events.ts';
import type { IdentityTables } from '../../../generated/surfaces/identity/tables.ts';
import { createDiscovery, type Discovery } from './discovery/discovery.ts';
import type { Offers } from './discovery/offers.ts';
import { SigningKeys } from './keys/signing-keys.ts';
import { createPeople, type People, type PeopleNeeds } from './people/people.ts';
import type { Place } from './records/place.ts';
import { createSigningKeyRecords } from './records/signing-keys.ts';
import { createSealer, type Sealer } from './secrets/sealer.ts';

/** What the surface needs of the house. */
export type IdentityNeeds =
  | 'store'
  | 'now'
  | 'keys'
  | 'pages'
  | 'audit'
  | 'scopes'
  | 'providers'
  | PeopleNeeds;

/** What works by now. */
const offers: Offers = {
  registrations: [],
  canClaim: false,
  grants: [],
  canRevoke: false,
  canIntrospect: false,
  canAuthorize: false,
  canRegisterClients: false,
  hasDpop: false,
  events: [],
  externalIssuer: undefined,
};

/** What the rooms of this surface share. */
export interface Identity {
  readonly place: Place;
  readonly events: IdentityEvents;
  readonly sealer: Sealer;
  readonly signingKeys: SigningKeys;
  readonly discovery: Discovery;
  readonly people: People;
}

/**
 * Put the parts together; nothing is read or made before it is needed.
 *
 * @throws ConfigError where the settings do not fit together
 */
export function createIdentity(
  house: Pick<House, IdentityNeeds>,
  config: IdentityConfig,
): Identity {
  const { store, now, keys, audit } = house;
  const place: Place = { store: storeWith<IdentityTables>(store), tenant: 'default', now };
  const events = createIdentityEvents(audit);
  const sealer = createSealer(() => keys('identity'));
  const signingKeys = new SigningKeys({
    records: createSigningKeyRecords(place),
    sealer,
    now,
    onChange: async (kid, state) => {
      const actor = { type: 'system', id: 'identity' } as const;
      await events.keyRotated({ actor, tenant: place.tenant, payload: { kid, state } });
    },
  });
  const discovery = createDiscovery(house, offers);
  const people = createPeople(house, config, { place, sealer });
  return { place, events, sealer, signingKeys, discovery, people };
}
