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

/** Those who share this server with others, and see nothing of them. */
export interface Tenant {
  readonly id: string;
  readonly address: OwnAddress;
  readonly settings: TenantSettings;
  /** Domains of the addresses with which people may sign in; any when absent. */
  readonly emailDomains?: readonly string[];
}

/** All of them; which one a request is for is decided by the address that it came to. */
export interface Tenants {
  /** `default` first, then as they are declared. */
  readonly all: readonly Tenant[];
  /** Nothing where there is none of this name, or none any more. */
  find(id: string): Tenant | undefined;
}
