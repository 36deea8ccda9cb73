import type { Caller } from '#contract/caller';
import type { Price } from '#contract/operation';

/** Whether a caller holds a scope for which something costs nothing. */
export function isFreeFor({ freeFor }: Price, { scopes }: Pick<Caller, 'scopes'>): boolean {
  if (freeFor === undefined) return false;
  return scopes === 'all' || freeFor.some((scope) => scopes.has(scope));
}
