import type { Access } from '#contract/operation';
import type { ScopeTier } from '#contract/scope';
import type { Route } from '#contract/surface/route';
import type { Location } from '../../diagnostics/diagnostic.ts';

/** The rights that one file declares. */
export interface ScopesModel {
  readonly scopes: readonly ScopeModel[];
}

export interface ScopeModel {
  readonly name: string;
  readonly consent: string;
  readonly tier: ScopeTier;
  /** Scopes that it names, as they stand there: `_*` at the end stands for all that begin so. */
  readonly implies: readonly string[];
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
    Record<
      string,
      {
        readonly consent: string;
        readonly tier: ScopeTier;
        readonly implies?: readonly string[];
        readonly checked_in_code?: true;
      }
    >
  >;
}

/** Read the rights out of their file. */
export function planScopes({ scopes }: ScopesFile): ScopesModel {
  const planned = Object.entries(scopes).map(([name, scope]) => ({
    name,
    consent: scope.consent,
    tier: scope.tier,
    implies: scope.implies ?? [],
    inCode: scope.checked_in_code === true,
  }));
  return { scopes: planned };
}

/** The scopes that a demand names; those of vendors are made, not declared. */
export function demandedScopes({ access }: Pick<Demand, 'access'>): readonly string[] {
  return access === 'public' ? [] : access.filter((scope) => !scope.startsWith('provider:'));
}

/** The declared scopes that an entry of `implies` stands for. */
export function namedBy(entry: string, declared: readonly string[]): readonly string[] {
  if (!entry.endsWith('_*')) return declared.filter((name) => name === entry);
  const beginning = entry.slice(0, -1);
  return declared.filter((name) => name.startsWith(beginning) && name !== entry);
}

/** Everything that each scope brings along, at any remove, without itself. */
export function impliedScopes(
  scopes: readonly ScopeModel[],
): ReadonlyMap<string, readonly string[]> {
  const declared = scopes.map(({ name }) => name);
  const direct = new Map(
    scopes.map(({ name, implies }) => [name, implies.flatMap((entry) => namedBy(entry, declared))]),
  );
  return new Map(
    declared.map((name) => {
      const reached = new Set<string>([name]);
      for (const each of reached) for (const next of direct.get(each) ?? []) reached.add(next);
      reached.delete(name);
      return [name, [...reached]];
    }),
  );
}
