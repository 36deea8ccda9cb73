import type { Caller } from '#contract/caller';
import type { Provider } from '#contract/provider';
import { absent } from './credentials/credential.ts';
import { identityOf, type ProviderLink } from './request/provider-link.ts';

/** Whether a provider also works without its credential, so that everybody reaches its tools. */
export function isOptional({ auth }: Provider): boolean {
  return auth.some(({ type }) => type === 'none');
}

/**
 * Whether a caller was allowed to use what the operator has with a vendor: `mcp.tools` alone
 * reaches the tools, but must not spend the operator's quota.
 */
export function maySpend({ scopes }: Caller, { id }: Provider): boolean {
  if (scopes === 'all') return true;
  return scopes.has(`provider:${id}:read`) || scopes.has(`provider:${id}:write`);
}

/** The same provider as one reaches it who has no credential. What is secret stays secret. */
export function withoutCredential(link: ProviderLink): ProviderLink {
  const credential = { ...absent, state: 'none', variables: [] } as const;
  return { ...link, credential, identity: identityOf(link.provider, credential) };
}
