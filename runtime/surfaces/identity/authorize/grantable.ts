import type { Caller } from '#contract/caller';
import type { OAuthClient } from '../clients/client.ts';
import type { Scopes } from '../scopes/catalogue.ts';

/** The tiers of scopes that a person can give. */
export const grantableTiers = ['pre', 'post', 'ask', 'oauth'] as const;

/**
 * What of a wish a person can give to a client. Names that mean nothing here are left out: clients
 * ask for what other servers have, such as `openid` or `offline_access`.
 */
export function grantableScopes(scopes: Scopes) {
  const offered = new Set(scopes.ofTier(...grantableTiers));
  return (wanted: readonly string[], { scopes: most }: Pick<OAuthClient, 'scopes'>) =>
    wanted.filter((scope) => offered.has(scope) && (most?.includes(scope) ?? true));
}

/** Whether a person has given a caller what it has, and can give it more: not where a provider did. */
export function isGivenByPerson({ subject, registration, grant }: Caller): boolean {
  return subject.startsWith('usr_') && (registration !== undefined || isOwnGrant(grant));
}

/**
 * Make what says which scopes a person could give to a caller: to an agent also who claims it first,
 * to what acts for itself nobody.
 */
export function grantableTo(
  scopes: Scopes,
  canClaim: () => boolean,
): (caller: Caller) => ReadonlySet<string> {
  const all: ReadonlySet<string> = new Set(scopes.ofTier(...grantableTiers));
  const none: ReadonlySet<string> = new Set();
  return (caller) => {
    if (caller.scopes === 'all' || !canClaim()) return none;
    return caller.registration !== undefined || isGivenByPerson(caller) ? all : none;
  };
}

function isOwnGrant(grant: string | undefined): boolean {
  return grant?.startsWith('grt_') ?? false;
}
