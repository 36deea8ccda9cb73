import type { Access } from '#contract/operation';
import type { Route } from '#contract/surface/route';
import type { Location } from '../../diagnostics/diagnostic.ts';

/** The rights that one file declares. */
export interface ScopesModel {
  readonly scopes: readonly ScopeModel[];
}

export interface ScopeModel {
  readonly name: string;
  readonly consent: string;
  /** A handler asks for it, beyond what routes and tools demand. */
  readonly inCode: boolean;
}

/** What an operation demands of its caller, and where that is said. */
export interface Demand {
  readonly access: Access;
  /** Where a route is served. */
  readonly route?: Pick<Route, 'method' | 'path'>;
  readonly at: Location & { readonly pointer: string };
}

/** A `scopes.yaml` that its JSON Schema accepts. */
export interface ScopesFile {
  readonly scopes: Readonly<
    Record<string, { readonly consent: string; readonly checked_in_code?: true }>
  >;
}

/** Read the rights out of their file. */
export function planScopes({ scopes }: ScopesFile): ScopesModel {
  const planned = Object.entries(scopes).map(([name, { consent, checked_in_code }]) => ({
    name,
    consent,
    inCode: checked_in_code === true,
  }));
  return { scopes: planned };
}

/** The scopes that a demand names; those of vendors are made, not declared. */
export function demandedScopes({ access }: Pick<Demand, 'access'>): readonly string[] {
  return access === 'public' ? [] : access.filter((scope) => !scope.startsWith('provider:'));
}
