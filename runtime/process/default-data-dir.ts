import { homedir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '#contract/config/config';

/**
 * The data directory of whoever names none, wherever a client starts the command: a clone keeps its
 * own, an installed package has one for each user.
 */
export function defaultDataDir(
  env: Environment,
  platform: string,
  program = import.meta.url,
): string {
  if (extname(program) === '.ts') return fileURLToPath(new URL('../../.data', program));
  return join(userData(env, platform), 'agent-tool-server');
}

/** XDG Base Directory Specification; on macOS, the place that its guidelines name. */
function userData(env: Environment, platform: string): string {
  const home = env['HOME'] || homedir();
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env['XDG_DATA_HOME'] || join(home, '.local', 'share');
}
