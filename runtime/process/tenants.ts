import type { OwnAddress } from '#contract/tenant/own-address';
import { defaultTenant, type Tenant, type Tenants } from '#contract/tenant/tenants';
import type { DeclaredTenant } from './declared-tenants.ts';
import { tenantAddress } from './own-address.ts';

/** Put the tenants together, each with its address, after that of the server itself. */
export function createTenants(declared: readonly DeclaredTenant[], server: OwnAddress): Tenants {
  const own: Tenant = { id: defaultTenant, address: server, settings: {} };
  const others = declared.map(({ url, ...tenant }): Tenant => {
    return { ...tenant, address: tenantAddress(tenant.id, url, server) };
  });
  const all = [own, ...others];
  const byId = new Map(all.map((tenant) => [tenant.id, tenant]));
  return { all, find: (id) => byId.get(id) };
}
