import { readFileSync } from 'node:fs';
import type { Configured, Environment } from '#contract/config/config';
import { nearestName } from '#contract/nearest-name';
import { type Config, readConfig } from '../../generated/config.ts';
import { providers } from '../../generated/providers.ts';

const surroundings = {
  providers,
  readFile: (path: string) => readFileSync(path, 'utf8'),
  nearest: nearestName,
};

/**
 * Read what the operator has chosen.
 *
 * @throws ConfigError
 */
export function readConfiguration(env: Environment): Configured<Config> {
  return readConfig(env, surroundings);
}
