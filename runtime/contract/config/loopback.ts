import { BlockList, isIP, isIPv6 } from 'node:net';
import { ConfigError } from './config.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Refuse an address that other machines can reach: until callers can be told apart, whoever
 * reaches the server may use the operator's credentials. Gives what to bind to: the address
 * without the brackets that URLs put around one of IPv6.
 *
 * @throws ConfigError
 */
export function requireLoopback(host: string): string {
  if (isLoopback(host)) return withoutBrackets(host);
  throw new ConfigError([
    {
      variable: 'HOST',
      expected:
        'a loopback address (127.0.0.1, ::1 or localhost), because this server cannot tell callers apart yet',
      received: JSON.stringify(host),
    },
  ]);
}

/** Whether a host, as it stands in a URL or without brackets, is this machine alone. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  const address = withoutBrackets(host);
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

function withoutBrackets(host: string): string {
  const inner = /^\[(.+)\]$/.exec(host)?.[1] ?? '';
  return isIPv6(inner) ? inner : host;
}
