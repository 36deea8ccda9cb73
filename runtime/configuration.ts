import { readFileSync } from 'node:fs';
import { closest } from 'fastest-levenshtein';
import type { Configured, Environment } from '#contract/config';
import { type Config, readConfig } from '../generated/config.ts';
import { providers } from '../generated/providers.ts';

const surroundings = {
  providers,
  readFile: (path: string) => readFileSync(path, 'utf8'),
  nearest: closest,
};

/**
 * Read what the operator has chosen.
 *
 * @throws ConfigError
 */
export function readConfiguration(env: Environment): Configured<Config> {
  return readConfig(env, surroundings);
}
