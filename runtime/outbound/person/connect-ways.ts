import type { ConnectWay } from '#contract/connect/connectable';
import type { OAuthConnect, OAuthRevoke } from '#contract/connect/ways';
import type { Provider, ProviderScheme } from '#contract/provider';
import type { Environment } from '../call/options.ts';
import { readToken } from '../credentials/token.ts';
import { unusable } from '../credentials/wire-credential.ts';

/** Whether people can connect accounts of their own at a provider. */
export function isConnectable({ auth }: Provider): boolean {
  return auth.some((scheme) => scheme.type !== 'none' && scheme.connect !== undefined);
}

/** The scheme as which something travels that was connected; nothing where it is none any more. */
export function schemeOf({ auth }: Provider, id: string): ProviderScheme | undefined {
  const schemes = auth.filter((scheme) => scheme.type !== 'none');
  return schemes.find(({ connect }) => connect?.id === id);
}

/**
 * The ways in which people connect accounts, those that need the operator only once it has set them
 * up. `moved` takes the place of the origin of all addresses of OAuth.
 *
 * @throws WrongSetting where one of two variables that belong together is missing
 */
export function connectWays(
  provider: Provider,
  env: Environment,
  moved: string | undefined,
): readonly ConnectWay[] {
  const ways = provider.auth.flatMap((scheme) => {
    if (scheme.type === 'none' || scheme.connect === undefined) return [];
    const { id, oauth2, key } = scheme.connect;
    const client = oauth2 && clientOf(oauth2, provider, env);
    const own: ConnectWay[] = [];
    if (oauth2 && client) {
      const flow = moved === undefined ? oauth2 : movedTo(oauth2, moved);
      own.push({ kind: 'oauth2', scheme: id, flow, client });
    }
    if (key) own.push({ kind: 'key', scheme: id, key });
    return own;
  });
  // Consent at the vendor first: it ends by itself, and a pasted key does not.
  return ways.toSorted((a, b) => Number(a.kind === 'key') - Number(b.kind === 'key'));
}

function clientOf(flow: OAuthConnect, provider: Provider, env: Environment) {
  const owner = { provider, env };
  const id = readToken([flow.clientId], owner)?.token;
  const secret = readToken([flow.clientSecret], owner)?.token;
  if (id !== undefined && secret !== undefined) return { id, secret };
  if (id === undefined && secret === undefined) return undefined;
  const [missing, set] =
    id === undefined ? [flow.clientId, flow.clientSecret] : [flow.clientSecret, flow.clientId];
  const reason = `${missing} must be set too`;
  const expected = `a value, because ${set} is set (they belong together)`;
  throw unusable({ ...owner, variable: missing }, { reason, expected });
}

function movedTo(flow: OAuthConnect, base: string): OAuthConnect {
  const move = (url: string) => {
    const { origin } = new URL(url);
    return base.replace(/\/+$/, '') + url.slice(origin.length);
  };
  const { revoke, issuer: _, ...rest } = flow;
  return {
    ...rest,
    authorizeUrl: move(flow.authorizeUrl),
    tokenUrl: move(flow.tokenUrl),
    ...(revoke && { revoke: { ...revoke, url: move(revoke.url) } satisfies OAuthRevoke }),
  };
}
