import type { Caller } from '#contract/caller';
import type { Access } from '#contract/operation';

type Scopes = Caller['scopes'];

/** Those that nobody can be given. */
export const noScopes: ReadonlySet<string> = new Set();

/**
 * The scopes that somebody lacks for what has this access, where all of them could be given to it:
 * none where it may use that already. Nothing where it never can.
 */
export function lackedScopes(
  access: Access,
  scopes: Scopes,
  grantable: ReadonlySet<string> = noScopes,
): readonly string[] | undefined {
  if (access === 'public' || scopes === 'all') return [];
  const lacks = access.filter((scope) => !scopes.has(scope));
  return lacks.every((scope) => grantable.has(scope)) ? lacks : undefined;
}
