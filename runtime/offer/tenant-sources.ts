import type { Tenants } from '#contract/tenant/tenants';

/** Of which sources each tenant has what is offered. */
export interface TenantSources {
  /** Whether some tenant is kept from something at all. */
  readonly areParted: boolean;
  has(tenant: string, source: string): boolean;
  /** What of all a tenant sees: the same for all that have the same, and empty where that is everything. */
  view(tenant: string): string;
  /** Whether a source is in a view. */
  isIn(view: string, source: string): boolean;
}

/** Where every tenant has everything. */
export const undivided: TenantSources = {
  areParted: false,
  has: () => true,
  view: () => '',
  isIn: () => true,
};

/** Keep the vendors from a tenant that its operator does not let it use; what is the server's own, all have. */
export function partedSources(tenants: Tenants, vendors: readonly string[]): TenantSources {
  const views = new Map<string, string>();
  const kept = new Map<string, ReadonlySet<string>>([['', new Set()]]);
  for (const { id, providers } of tenants.all) {
    const others = providers ? vendors.filter((vendor) => !providers.has(vendor)) : [];
    const view = others.toSorted().join(' ');
    views.set(id, view);
    kept.set(view, new Set(others));
  }
  if (kept.size === 1) return undivided;
  const view = (tenant: string) => views.get(tenant) ?? '';
  const isIn = (of: string, source: string) => kept.get(of)?.has(source) !== true;
  return { areParted: true, has: (tenant, source) => isIn(view(tenant), source), view, isIn };
}
