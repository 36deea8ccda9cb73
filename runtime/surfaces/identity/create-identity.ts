import type { House } from '#contract/house/house';
import { storeWith } from '#contract/house/store';
import {
  createIdentityEvents,
  type IdentityEvents,
} from '../../../generated/surfaces/identity/events.ts';
import type { IdentityTables } from '../../../generated/surfaces/identity/tables.ts';
import { SigningKeys } from './keys/signing-keys.ts';
import type { Place } from './records/place.ts';
import { createSigningKeyRecords } from './records/signing-keys.ts';
import { createSealer, type Sealer } from './secrets/sealer.ts';

/** What the surface needs of the house. */
export type IdentityNeeds = 'store' | 'now' | 'keys' | 'address' | 'audit';

/** What the rooms of this surface share. */
export interface Identity {
  readonly place: Place;
  readonly events: IdentityEvents;
  readonly sealer: Sealer;
  readonly signingKeys: SigningKeys;
}

/** Put the parts together; nothing is read or made before it is needed. */
export function createIdentity({ store, now, keys, audit }: Pick<House, IdentityNeeds>): Identity {
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
  return { place, events, sealer, signingKeys };
}
