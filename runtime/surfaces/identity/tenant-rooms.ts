import { ConfigError, type ConfigProblem } from '#contract/config/config';
import type { House } from '#contract/house/house';
import type { ScopeCatalogue } from '#contract/scope';
import type { AdmissionParts } from '#contract/surface/admission-parts';
import type { SignedInPeople } from '#contract/surface/people';
import type { SurfaceCommand } from '#contract/surface/surface-module';
import { defaultTenant, mayUseVendor, type Tenant } from '#contract/tenant/tenants';
import type { IdentityConfig } from '../../../generated/surfaces/identity/config.ts';
import type { IdentityHandlers } from '../../../generated/surfaces/identity/routes.ts';
import { createAuthenticate } from './authenticate/authenticate.ts';
import { createChallenges } from './authenticate/challenges.ts';
import { grantableTo } from './authorize/grantable.ts';
import { createCommands } from './commands/commands.ts';
import {
  createIdentity,
  createSharedMemory,
  type Identity,
  type IdentityNeeds,
  type SharedMemory,
} from './create-identity.ts';
import { createOAuth } from './create-oauth.ts';
import { resourceProofs } from './dpop/check-proof.ts';
import { createHandlers } from './handlers.ts';
import { createSignedInPeople } from './people/signed-in-people.ts';

/** All that identity is for one tenant: nothing of another can be reached from it. */
export interface TenantRoom
  extends Required<Pick<AdmissionParts, 'authenticate' | 'refuse' | 'grantable'>> {
  readonly identity: Identity;
  readonly people: SignedInPeople;
  readonly handlers: IdentityHandlers;
  readonly commands: Readonly<Record<'token' | 'agents' | 'keys', SurfaceCommand>>;
}

/** The rooms of all tenants, each found by the id of its tenant. */
export type TenantRooms = ReadonlyMap<string, TenantRoom>;

/**
 * Make a room for each tenant. Nothing is read or made before it is needed.
 *
 * @throws ConfigError where settings do not fit together, those of all tenants
 */
export function createTenantRooms(
  house: Pick<House, IdentityNeeds>,
  config: IdentityConfig,
): TenantRooms {
  const shared = createSharedMemory(house.now);
  const problems: ConfigProblem[] = [];
  const rooms = new Map<string, TenantRoom>();
  for (const tenant of house.tenants.all) {
    const room = tenant.id === defaultTenant ? createRoom : createDeclaredRoom;
    try {
      const settings = settingsOf(config, tenant);
      rooms.set(tenant.id, room(houseOf(house, tenant), settings, tenant, shared));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return rooms;
}

/** What a tenant says is told of it, and not of the switches of the server. */
function createDeclaredRoom(...parts: Parameters<typeof createRoom>): TenantRoom {
  try {
    return createRoom(...parts);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [, , { id }] = parts;
    const problems = error.problems.map(({ variable, expected, received }) => ({
      variable: 'SERVICE_TENANTS',
      expected: `for the tenant ${id} as ${memberOf(variable)}: ${expected}`,
      ...(received !== undefined && { received }),
    }));
    throw new ConfigError(problems);
  }
}

/** `SERVICE_OIDC_ISSUER` is `oidc_issuer` of a tenant. */
function memberOf(variable: string): string {
  return variable.replace(/^SERVICE_/, '').toLowerCase();
}

function createRoom(
  house: Pick<House, IdentityNeeds>,
  config: IdentityConfig,
  tenant: Tenant,
  shared: SharedMemory,
): TenantRoom {
  const identity = createIdentity(house, config, tenant, shared);
  const oauth = createOAuth(identity, house);
  const { mode, place, addresses, revocations, known, verifyToken: verify } = identity;
  const { now } = place;
  const challenges = createChallenges(addresses, oauth.remedy);
  const isRequired = mode === 'required';
  const parts = { isRequired, tenant: tenant.id, now, addresses, revocations, challenges };
  const checkProof = resourceProofs(oauth.proofs);
  return {
    identity,
    people: createSignedInPeople({ ...identity, ...parts, grants: oauth.grants }),
    handlers: createHandlers(identity, oauth, house),
    commands: createCommands(identity, oauth),
    authenticate: createAuthenticate({ ...parts, known, verify, checkProof }),
    refuse: challenges.refuse,
    grantable: grantableTo(identity.scopes, () => identity.people.claimAuth() !== 'none'),
  };
}

/** The house as one tenant has it: with its own address, and keys that open nothing of another. */
function houseOf(house: Pick<House, IdentityNeeds>, tenant: Tenant): Pick<House, IdentityNeeds> {
  const { id, address } = tenant;
  if (id === defaultTenant) return house;
  return {
    ...{ ...house, address, scopes: scopesOf(house.scopes, tenant) },
    outbound: { ...house.outbound, ...house.outbound.of(id) },
    keys: (purpose) => house.keys(`${purpose} of the tenant ${id}`),
    providers: house.providers.filter((provider) => mayUseVendor(tenant, provider.id)),
  };
}

/** Nobody is asked for what a tenant has not. */
function scopesOf(scopes: ScopeCatalogue, tenant: Tenant): ScopeCatalogue {
  const own = Object.entries(scopes).filter(([name]) => {
    const vendor = /^provider:([^:]+):/.exec(name)?.[1];
    return vendor === undefined || mayUseVendor(tenant, vendor);
  });
  return Object.fromEntries(own);
}

/** Whom the operator of the server trusts for itself, no tenant has to. */
function settingsOf(config: IdentityConfig, { id, settings }: Tenant): IdentityConfig {
  if (id === defaultTenant) return config;
  const nobody = {
    ...{ oauthClients: undefined, trustedIssuers: undefined, tokenIssuer: undefined },
    ...{ tokenIssuerClientId: undefined, tokenIssuerClientSecret: undefined },
  };
  return { ...config, ...nobody, ...settings };
}
