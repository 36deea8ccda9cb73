import { ConfigError, type ConfigProblem, type Environment } from '#contract/config/config';
import type { Config } from '../../generated/config.ts';
import { providers as registry } from '../../generated/providers.ts';
import { problemsOf } from '../outbound/provider-settings.ts';
import { parseProviderAuth } from './provider-auth.ts';
import { selectProviders } from './provider-selection.ts';
import { requireTenantVendors } from './tenant-vendors.ts';

/** What has to hold of the settings of all vendors, besides the form of each. */
export const vendorRules: readonly ((config: Config) => unknown)[] = [
  ({ provider }) => selectProviders(provider, registry),
  requireTenantVendors,
  requireSafeOAuth,
  ({ providerAuthJson }) => parseProviderAuth(providerAuthJson, registry),
];

/** A person who has let this server in must not learn only then that it may not ask for their token. */
function requireSafeOAuth({ providerOauthUrl, allowInsecureFetch }: Config): void {
  if (allowInsecureFetch) return;
  const problems = Object.entries(providerOauthUrl).flatMap(([id, url]): ConfigProblem[] => {
    if (new URL(url).protocol === 'https:') return [];
    const variable = `SERVICE_PROVIDER_${id.toUpperCase()}_OAUTH_URL`;
    const expected = 'an https URL, as long as SERVICE_ALLOW_INSECURE_FETCH is not set';
    return [{ variable, expected, received: JSON.stringify(url.slice(0, 80)) }];
  });
  if (problems.length > 0) throw new ConfigError(problems);
}

/**
 * What is wrong with the credentials and addresses of the vendors that are on. The rules above hold.
 *
 * @throws ConfigError
 */
export async function vendorProblems(
  config: Config,
  env: Environment,
): Promise<readonly ConfigProblem[]> {
  const settings = {
    env,
    baseUrls: new Map(Object.entries(config.providerUrl)),
    authJson: parseProviderAuth(config.providerAuthJson, registry),
  };
  const entries = selectProviders(config.provider, registry).flatMap((id) => registry[id] ?? []);
  const providers = await Promise.all(entries.map((entry) => entry.load()));
  return providers.flatMap((provider) => problemsOf(provider, settings));
}

/** What stands where somebody has not put a credential yet. */
const placeholder = /^(?:<.*>|\.{3}|…|x{3,}|\*{3,}|change-?me|todo|your[-_ ].*)$/i;

/** What the operator should look at: settings of vendors that do nothing, or not what was meant. */
export function vendorWarnings(config: Config, env: Environment): readonly string[] {
  const on = new Set(selectProviders(config.provider, registry));
  const isSet = (name: string) => (env[name] ?? '') !== '';
  const isOff = (id: string) =>
    `is set, but ${id} is not among the vendors that are on (SERVICE_PROVIDER)`;
  return Object.entries(registry).flatMap(([id, entry]) => {
    // SERVICE_CONTACT and the usual variables of others have their own meaning beside this one.
    const own = [...entry.env.filter((name) => name !== 'SERVICE_CONTACT')];
    const variables = own.flatMap((name) => [name, `${name}_FILE`]);
    const address = `SERVICE_PROVIDER_${id.toUpperCase()}_URL`;
    const idle = [...variables.filter((name) => name.startsWith('SERVICE_')), address];
    if (!on.has(id)) return idle.filter(isSet).map((name) => `${name} ${isOff(id)}`);
    return own
      .filter((name) => placeholder.test(env[name]?.trim() ?? ''))
      .map((name) => `${name} holds what looks like a placeholder, not like a credential`);
  });
}
