import type { OwnAddress } from './own-address.ts';

/** The tenant of the server itself, which is there also where no other is declared. */
export const defaultTenant = 'default';

/** What an operator says otherwise for one tenant than for the server. */
export interface TenantSettings {
  /** How its people sign in, and the provider at which they do. */
  readonly claimAuth?: 'oidc' | 'email' | 'dev' | 'none';
  readonly oidcIssuer?: string;
  readonly oidcClientId?: string;
  readonly oidcClientSecret?: string;
  /** JSON arrays, as the switches of the server hold them; a tenant inherits neither. */
  readonly oauthClients?: string;
  readonly trustedIssuers?: string;
  /** Anonymous registrations within an hour. */
  readonly registrationsPerNetwork?: number;
  readonly registrationsPerHour?: number;
}

/** How much a tenant may call, where that differs from what the server lets everybody do. */
export interface TenantLimits {
  /** Calls of one caller in a second; 0 sets no limit. */
  readonly callRate?: number;
  /** Calls of all its callers together in a second; 0 sets no limit. */
  readonly totalCallRate?: number;
  /** Calls of all its callers that run at a time. */
  readonly runningCalls?: number;
}

/** Those who share this server with others, and see nothing of them. */
export interface Tenant {
  readonly id: string;
  readonly address: OwnAddress;
  readonly settings: TenantSettings;
  /** Ids of the vendors that it may use; all that are on when absent. */
  readonly providers?: ReadonlySet<string>;
  readonly limits?: TenantLimits;
  /** Domains of the addresses with which people may sign in; any when absent. */
  readonly emailDomains?: readonly string[];
}

/** Whether a tenant may use a vendor that is on. */
export function mayUseVendor(tenant: Tenant | undefined, vendor: string): boolean {
  return tenant?.providers?.has(vendor) ?? true;
}

/** All of them; which one a request is for is decided by the address that it came to. */
export interface Tenants {
  /** `default` first, then as they are declared. */
  readonly all: readonly Tenant[];
  /** Nothing where there is none of this name, or none any more. */
  find(id: string): Tenant | undefined;
}
