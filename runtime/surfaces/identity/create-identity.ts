import { type AuthMode, authMode } from '#contract/config/auth-mode';
import type { House } from '#contract/house/house';
import { storeWith } from '#contract/house/store';
import type { Tenant } from '#contract/tenant/tenants';
import type { IdentityConfig } from '../../../generated/surfaces/identity/config.ts';
import {
  createIdentityEvents,
  type IdentityEvents,
} from '../../../generated/surfaces/identity/events.ts';
import type { IdentityTables } from '../../../generated/surfaces/identity/tables.ts';
import type { Addresses } from './addresses.ts';
import { createKnownTokens, type KnownTokens } from './authenticate/authenticate.ts';
import { type ClaimNotes, createClaimNotes } from './claim/notes.ts';
import { createEarlyPolls, type EarlyPolls } from './claim/polling.ts';
import { createDiscovery, type Discovery } from './discovery/discovery.ts';
import type { Offers } from './discovery/offers.ts';
import { eventsSupported } from './events/apply-event.ts';
import { agentPace } from './grants/agent-token.ts';
import type { RequestPace } from './grants/request-pace.ts';
import { SigningKeys } from './keys/signing-keys.ts';
import { createOutbox, type Outbox } from './outbox/outbox.ts';
import { createPeople, type People, type PeopleNeeds } from './people/people.ts';
import { createGrantRecords } from './records/grants.ts';
import type { Place } from './records/place.ts';
import { createQuotaRecords, type QuotaRecords } from './records/quotas.ts';
import { createRefreshTokenRecords, type RefreshTokenRecords } from './records/refresh-tokens.ts';
import { createRegistrationRecords, type RegistrationRecords } from './records/registrations.ts';
import { createRevocationRecords } from './records/revocations.ts';
import { createSigningKeyRecords } from './records/signing-keys.ts';
import {
  type AddRegistration,
  addRegistrations,
  type NoteOfRegistration,
  notesOfRegistrations,
} from './registration/notes.ts';
import {
  type RevokeRegistration,
  revokeRegistrations,
} from './registration/revoke-registration.ts';
import { createScopes, type Scopes } from './scopes/catalogue.ts';
import { createSealer, type Sealer } from './secrets/sealer.ts';
import type { AccessToken } from './tokens/access-token.ts';
import { type EndFamily, familyEnd } from './tokens/end-family.ts';
import type { Minting } from './tokens/issue-token.ts';
import {
  createSignatureMemory,
  KnownSignatures,
  type SignatureMemory,
} from './tokens/known-signatures.ts';
import { RefreshTokens } from './tokens/refresh-tokens.ts';
import { Revocations } from './tokens/revocations.ts';
import { verifyAccessToken } from './tokens/verify-token.ts';
import { createExternalTokens } from './trust/external-tokens.ts';

/** What the surface needs of the house. */
export type IdentityNeeds =
  | 'store'
  | 'now'
  | 'keys'
  | 'address'
  | 'contact'
  | 'audit'
  | 'scopes'
  | 'log'
  | 'pages'
  | 'providers'
  | 'tenants'
  | 'jobs'
  | 'announcements'
  | PeopleNeeds;

const claimGrant = 'urn:workos:agent-auth:grant-type:claim';
const grants = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:token-exchange',
];

/** What works here; claims only where people can sign in. */
function offersOf(
  { trustedIssuers, clientRegistration, tokenIssuer }: IdentityConfig,
  { claimAuth }: Pick<People, 'claimAuth'>,
): Offers {
  const trusts = trustedIssuers !== undefined;
  const canClaim = () => claimAuth() !== 'none';
  return {
    get registrations(): Offers['registrations'] {
      return [
        'anonymous',
        ...(canClaim() ? (['service_auth'] as const) : []),
        ...(trusts ? (['identity_assertion'] as const) : []),
      ];
    },
    get canClaim() {
      return canClaim();
    },
    get grants() {
      return canClaim() ? [...grants, claimGrant] : grants;
    },
    canRevoke: true,
    canIntrospect: true,
    canAuthorize: true,
    canRegisterClients: clientRegistration,
    hasDpop: true,
    events: trusts ? eventsSupported : [],
    externalIssuer: tokenIssuer,
  };
}

/** What the identities of all tenants keep in one place, so that many of them take no more memory. */
export interface SharedMemory {
  readonly known: KnownTokens;
  readonly pace: RequestPace;
  readonly earlyPolls: EarlyPolls;
  readonly signatureMemory: SignatureMemory;
}

/** Make it. */
export function createSharedMemory(now: () => number): SharedMemory {
  const signatureMemory = createSignatureMemory();
  const earlyPolls = createEarlyPolls();
  return { known: createKnownTokens(), pace: agentPace(now), earlyPolls, signatureMemory };
}

/** What the rooms of this surface share: of one tenant. */
export interface Identity extends SharedMemory {
  readonly mode: AuthMode;
  readonly config: IdentityConfig;
  readonly place: Place;
  readonly addresses: Addresses;
  readonly scopes: Scopes;
  readonly events: IdentityEvents;
  readonly keys: House['keys'];
  readonly sealer: Sealer;
  readonly signingKeys: SigningKeys;
  readonly discovery: Discovery;
  readonly people: People;
  /** What tokens are made and verified with. */
  readonly minting: Minting & { readonly keys: SigningKeys };
  /** Of the assertions that agents bring. */
  readonly signatures: KnownSignatures;
  readonly registrations: RegistrationRecords;
  readonly refreshTokenRecords: RefreshTokenRecords;
  readonly quotas: QuotaRecords;
  readonly refreshTokens: RefreshTokens;
  readonly revocations: Revocations;
  readonly endFamily: EndFamily;
  readonly noteOf: NoteOfRegistration;
  readonly addRegistration: AddRegistration;
  readonly claimNotes: ClaimNotes;
  readonly revokeRegistration: RevokeRegistration;
  readonly outbox: Outbox;
  /** @throws InvalidToken */
  readonly verifyToken: (
    token: string,
    takesExpired?: boolean,
    network?: string,
  ) => Promise<AccessToken>;
  /** Told when something could not be written down that nobody waits for. */
  readonly onLoss: (error: unknown) => void;
}

/**
 * Put the parts together; nothing is read or made before it is needed.
 *
 * @throws ConfigError where the settings do not fit together
 */
export function createIdentity(
  house: Pick<House, IdentityNeeds>,
  config: IdentityConfig,
  { id: tenant, emailDomains }: Pick<Tenant, 'id' | 'emailDomains'>,
  shared: SharedMemory,
): Identity {
  const { now, keys, log } = house;
  const place: Place = { store: storeWith<IdentityTables>(house.store), tenant, now };
  const events = createIdentityEvents(house.audit);
  const outbox = createOutbox(house, place);
  const logKey = () => keys('identity log');
  const scopes = createScopes(house.scopes);
  const sealer = createSealer(() => keys('identity'));
  const people = createPeople(house, config, { place, sealer, emailDomains });
  const discovery = createDiscovery(house, offersOf(config, people));
  const { addresses } = discovery;
  const registrations = createRegistrationRecords(place);
  const refreshTokenRecords = createRefreshTokenRecords(place);
  const marks = createRevocationRecords(place);
  const revocations = new Revocations({ records: marks, now });
  const signingKeys = new SigningKeys({
    ...{ records: createSigningKeyRecords(place), sealer, now },
    ...{ revocations, marks, outbox, log },
  });
  const endFamily = familyEnd({
    ...{ place, records: refreshTokenRecords, registrations, marks, revocations, outbox },
    grants: createGrantRecords(place),
  });
  const refreshTokens = new RefreshTokens({
    ...{ records: refreshTokenRecords, sealer, now },
    async onReuse(row) {
      const { kind, owner, client } = row;
      const actor = { type: 'agent', id: owner } as const;
      // Whoever has stolen it may have got an assertion for it.
      const note = {
        action: 'REFRESH_REUSE_DETECTED',
        ...{ actor, subject: owner },
        outcome: 'denied',
        payload: { kind, client: client.slice(0, 500) },
      } as const;
      await endFamily(row, note, async (tx) => {
        const registration = kind === 'agent' ? await registrations.find(owner, tx) : undefined;
        if (registration) await registrations.withdraw(owner, registration.epoch, tx);
      });
    },
  });
  const external = createExternalTokens(config, house, { addresses, scopes, now });
  const refreshing = { refreshTokens: refreshTokenRecords };
  const revoking = { place, records: registrations, ...refreshing, marks, revocations, outbox };
  const verification = { keys: signingKeys, addresses, scopes, now };
  return {
    mode: authMode(config.auth, house.address.isLoopback),
    ...{ config, place, addresses, scopes, events, keys, sealer, signingKeys },
    ...{ discovery, people, ...shared },
    minting: { keys: signingKeys, addresses, now },
    signatures: new KnownSignatures(shared.signatureMemory, tenant),
    ...{ registrations, refreshTokenRecords, refreshTokens, revocations, endFamily },
    quotas: createQuotaRecords(place),
    noteOf: notesOfRegistrations(logKey),
    addRegistration: addRegistrations({ place, records: registrations, outbox, key: logKey }),
    claimNotes: createClaimNotes({ outbox, key: logKey }),
    revokeRegistration: revokeRegistrations(revoking),
    outbox,
    async verifyToken(token, takesExpired, network) {
      const foreign = external?.verify(token, takesExpired, network);
      return foreign ?? verifyAccessToken(token, verification, takesExpired);
    },
    onLoss: (err) => log.warn({ err }, 'an event of identity could not be written'),
  };
}
