import { BlockList, isIPv4 } from 'node:net';
import type { Arrival } from '#contract/arrival';
import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';

const local = { tenant: 'default', subject: 'local', client: 'unknown', scopes: 'all' } as const;

const callers: Readonly<Record<Caller['transport'], Caller>> = {
  http: { ...local, transport: 'http' },
  mcp: { ...local, transport: 'mcp' },
  cli: { ...local, transport: 'cli' },
};

/** A page that its user has opened is not its user. */
const anonymous = {
  ...{ ...local, subject: 'anonymous', scopes: new Set<string>() },
  isAnonymous: true,
} as const;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Take whoever reaches the loopback interface for the operator, as SERVICE_AUTH=local has it.
 *
 * @throws ServiceError `unauthorized` for everybody else
 */
export function authenticateLocal(arrival: Arrival): Caller {
  const { transport, isLocal, isForeign, address } = arrival;
  if (!isLocal && !isLoopback(address)) {
    const message = 'only callers on this machine are known to this server';
    throw new ServiceError('unauthorized', 401, message);
  }
  return isForeign ? { ...anonymous, transport } : callers[transport];
}

function isLoopback(address: string | undefined): boolean {
  if (address === '127.0.0.1' || address === '::1') return true;
  // One of IPv4 on a socket of both looks like ::ffff:127.0.0.1, which the list knows.
  return address !== undefined && loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
