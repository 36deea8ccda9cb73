import { BlockList, isIP, isIPv6 } from 'node:net';
import { ConfigError } from './config.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a host, as it stands in a URL or without brackets, is this machine alone. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  const address = withoutBrackets(host);
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * What to bind to: a name, or an address, of IPv6 without the brackets that URLs put around it.
 *
 * @throws ConfigError
 */
export function bindable(host: string): string {
  const inner = withoutBrackets(host);
  if (isIP(inner) !== 0 || hostName.test(host)) return inner;
  const expected = 'a host name or an IP address, without a scheme and without a port';
  throw new ConfigError([{ variable: 'HOST', expected, received: JSON.stringify(host) }]);
}

/** Labels of letters, digits and hyphens (RFC 1123 section 2.1); digits at the end are an address. */
const hostName = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z]([a-z0-9-]*[a-z0-9])?$/i;

function withoutBrackets(host: string): string {
  const inner = /^\[(.+)\]$/.exec(host)?.[1] ?? '';
  return isIPv6(inner) ? inner : host;
}
