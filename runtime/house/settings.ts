import { requireAuth } from '#contract/config/auth-mode';
import {
  ConfigError,
  type ConfigProblem,
  type Configured,
  type Environment,
  requireSound,
} from '#contract/config/config';
import { bindable } from '#contract/config/loopback';
import { configuredKey, configuredKeys } from '#contract/config/secret-key';
import type { Config } from '../../generated/config.ts';
import { surfaces } from '../../generated/surfaces.ts';
import { auditRules } from '../audit/wiring/audit-rules.ts';
import { natsSettings } from '../bus/nats-settings.ts';
import { requireFreePath } from '../http/free-path.ts';
import { lookAtConfiguration } from '../process/configuration.ts';
import { requireDataFolder } from '../process/folders.ts';
import { requireWholeHost } from '../process/own-address.ts';
import { requireTenants } from '../process/tenant/declared-tenants.ts';
import { readDatabaseUrl } from '../store/database-url.ts';
import { vendorProblems, vendorRules, vendorWarnings } from '../vendors/vendor-settings.ts';
import { enabledSurfaces } from './load-surfaces.ts';
import { settingWarnings } from './setting-warnings.ts';

/** What has to hold of the settings besides the form of each; every rule throws a ConfigError. */
const rules: readonly ((config: Config) => unknown)[] = [
  ({ host }) => bindable(host),
  (config) => requireAuth(config.surfaces.identity.auth, config),
  (config) => requireFreePath(config.mcpPath, enabledSurfaces(surfaces, config)),
  ({ dataDir }) => requireDataFolder(dataDir),
  ({ databaseUrl }) => readDatabaseUrl(databaseUrl),
  ({ secretKey }) => configuredKey('SERVICE_SECRET_KEY', secretKey),
  requireWholeHost,
  requireTenants,
  ({ surfaces: { connections } }) => configuredKeys('SERVICE_CONNECTIONS_KEY', connections.key),
  natsSettings,
  ...vendorRules,
  ...auditRules,
];

/**
 * Read and check everything that the operator has chosen, before anything is made of it.
 *
 * @throws ConfigError with all that is wrong, in one message
 */
export async function readSettings(env: Environment): Promise<Configured<Config>> {
  const read = lookAtConfiguration(env);
  const problems = [
    ...read.problems,
    ...onceEach(rules.flatMap((rule) => problemsOf(rule, read.config))),
  ];
  const hasVendors = vendorRules.every((rule) => problemsOf(rule, read.config).length === 0);
  if (hasVendors) problems.push(...(await vendorProblems(read.config, env)));
  const warnings = [
    ...read.warnings,
    ...settingWarnings(read.config),
    ...(hasVendors ? vendorWarnings(read.config, env) : []),
  ];
  return requireSound({ ...read, problems, warnings });
}

/** Several rules read the same switch, and find the same wrong with it. */
function onceEach(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return [...new Map(problems.map((each) => [JSON.stringify(each), each])).values()];
}

function problemsOf(rule: (config: Config) => unknown, config: Config): readonly ConfigProblem[] {
  try {
    rule(config);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
