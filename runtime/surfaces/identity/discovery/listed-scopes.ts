import type { House } from '#contract/house/house';

/** What an MCP client asks for that was not told what it needs: it asks for all that is listed. */
const forMcp = ['mcp.tools', 'api.read'];

/** The scopes that callers are told of: nobody is given those of the operator. */
export function listedScopes({ scopes, providers }: Pick<House, 'scopes' | 'providers'>) {
  const enabled = new Set(providers.map(({ id }) => id));
  const all = Object.entries(scopes)
    .filter(([, { tier }]) => tier !== 'operator')
    .map(([name]) => name)
    .filter((name) => {
      const provider = /^provider:([^:]+):/.exec(name)?.[1];
      return provider === undefined || enabled.has(provider);
    });
  return { all, mcp: all.filter((name) => forMcp.includes(name)) };
}

export type ListedScopes = ReturnType<typeof listedScopes>;
