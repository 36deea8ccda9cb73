import type { ConfigProblem } from '#contract/config/config';
import { ToolError } from '#contract/errors';
import type { Provider } from '#contract/provider';
import type { OutboundOptions } from './call/options.ts';
import { resolveServers } from './connection/server-address.ts';
import { WrongSetting } from './connection/wrong-setting.ts';
import { findCredential } from './credentials/credential.ts';
import { readToken } from './credentials/token.ts';
import { connectWays } from './person/connect-ways.ts';

/** What is wrong with the settings of a provider; one that is missing is none of it. */
export function problemsOf(
  provider: Provider,
  { env, baseUrls, authJson }: Pick<OutboundOptions, 'env' | 'baseUrls' | 'authJson'>,
): readonly ConfigProblem[] {
  const parts = [
    () => resolveServers(provider, env, baseUrls.get(provider.id)),
    () => findCredential(provider, env, authJson?.[provider.id]),
    ...Object.values(provider.schemes ?? {}).map(
      (scheme) => () => readToken(scheme.env, { provider, env }),
    ),
    () => connectWays(provider, env, undefined),
  ];
  return parts.flatMap((part) => {
    try {
      part();
      return [];
    } catch (error) {
      if (error instanceof WrongSetting) return [error.problem];
      if (error instanceof ToolError) return [];
      throw error;
    }
  });
}
