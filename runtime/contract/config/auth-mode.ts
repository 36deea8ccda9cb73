import { ConfigError } from './config.ts';
import { isLoopback } from './loopback.ts';

export type AuthMode = 'required' | 'local';

/** Where the server is reached, as far as the operator says. */
export interface Reach {
  /** What it binds to. */
  readonly host: string;
  readonly baseUrl: string | undefined;
}

/** Whether nobody reaches it from elsewhere, neither at its address nor through a proxy. */
export function isReachedLocally({ host, baseUrl }: Reach): boolean {
  return isLoopback(host) && (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname));
}

/** Whether callers have to bring a token: by default wherever other machines reach the server. */
export function authMode(chosen: AuthMode | undefined, isLocal: boolean): AuthMode {
  return chosen ?? (isLocal ? 'local' : 'required');
}

/**
 * Refuse settings with which anybody could call as the operator, or with which nobody could be told
 * where the server is.
 *
 * @throws ConfigError
 */
export function requireAuth(chosen: AuthMode | undefined, reach: Reach): void {
  if (chosen === 'local' && !isReachedLocally(reach)) {
    const expected =
      'required, because HOST or SERVICE_BASE_URL is no loopback address, and local takes whoever calls for the operator';
    throw new ConfigError([{ variable: 'SERVICE_AUTH', expected, received: 'local' }]);
  }
  if (reach.baseUrl === undefined && /^(0\.0\.0\.0|\[?::\]?)$/.test(reach.host)) {
    const expected = `the address under which clients reach the server, because HOST is ${reach.host}`;
    throw new ConfigError([{ variable: 'SERVICE_BASE_URL', expected, received: 'nothing' }]);
  }
}
