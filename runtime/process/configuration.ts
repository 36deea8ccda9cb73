import { readFileSync } from 'node:fs';
import { type Configured, type Environment, requireSound } from '#contract/config/config';
import { nearestName } from '#contract/nearest-name';
import { type Config, readConfig } from '../../generated/config.ts';
import { providers } from '../../generated/providers.ts';

const surroundings = {
  providers,
  readFile: (path: string) => readFileSync(path, 'utf8'),
  nearest: nearestName,
};

/** Read what the operator has chosen, with everything that is wrong with a single value. */
export function lookAtConfiguration(env: Environment): Configured<Config> {
  return readConfig(env, surroundings);
}

/**
 * Read what the operator has chosen, for what needs only some of it.
 *
 * @throws ConfigError
 */
export function readConfiguration(env: Environment): Configured<Config> {
  return requireSound(lookAtConfiguration(env));
}
