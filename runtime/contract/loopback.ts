import { ConfigError } from './config.ts';

/**
 * Refuse an address that other machines can reach: until callers can be told apart, whoever
 * reaches the server may use the operator's credentials.
 *
 * @throws ConfigError
 */
export function requireLoopback(host: string): void {
  if (/^(localhost|127(\.\d{1,3}){3}|(0{0,4}:){2,7}0{0,3}1|\[::1\])$/i.test(host)) return;
  throw new ConfigError([
    {
      variable: 'HOST',
      expected:
        'a loopback address (127.0.0.1, ::1 or localhost), because this server cannot tell callers apart yet',
      received: JSON.stringify(host),
    },
  ]);
}
