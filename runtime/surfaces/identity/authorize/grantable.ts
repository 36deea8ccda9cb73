import type { OAuthClient } from '../clients/client.ts';
import type { Scopes } from '../scopes/catalogue.ts';

/**
 * What of a wish a person can give to a client. Names that mean nothing here are left out: clients
 * ask for what other servers have, such as `openid` or `offline_access`.
 */
export function grantableScopes(scopes: Scopes) {
  const offered = new Set(scopes.ofTier('pre', 'post', 'ask', 'oauth'));
  return (wanted: readonly string[], { scopes: most }: Pick<OAuthClient, 'scopes'>) =>
    wanted.filter((scope) => offered.has(scope) && (most?.includes(scope) ?? true));
}
