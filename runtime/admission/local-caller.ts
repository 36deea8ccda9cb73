import { BlockList, isIPv4 } from 'node:net';
import type { Arrival, Transport } from '#contract/arrival';
import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';

interface LocalCallers {
  readonly operator: Readonly<Record<Transport, Caller>>;
  /** A page that its user has opened is not its user. */
  readonly anonymous: Readonly<Record<Transport, Caller>>;
}

/** By tenant, of which there are as many as the operator declares. */
const known = new Map<string, LocalCallers>();

function callersOf(tenant: string): LocalCallers {
  const made = known.get(tenant) ?? makeCallers(tenant);
  known.set(tenant, made);
  return made;
}

function makeCallers(tenant: string): LocalCallers {
  const local = { tenant, subject: 'local', client: 'unknown', scopes: 'all' } as const;
  const anonymous = { ...local, subject: 'anonymous', scopes: new Set<string>() };
  return {
    operator: byTransport(local),
    anonymous: byTransport({ ...anonymous, isAnonymous: true }),
  };
}

function byTransport(caller: Omit<Caller, 'transport'>): Readonly<Record<Transport, Caller>> {
  return {
    http: { ...caller, transport: 'http' },
    mcp: { ...caller, transport: 'mcp' },
    cli: { ...caller, transport: 'cli' },
  };
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Take whoever reaches the loopback interface for the operator, as SERVICE_AUTH=local has it: of the
 * tenant to whose address they came.
 *
 * @throws ServiceError `unauthorized` for everybody else
 */
export function authenticateLocal(arrival: Arrival): Caller {
  const { transport, tenant, isLocal, isForeign, address } = arrival;
  if (!isLocal && !isLoopback(address)) {
    const message = 'only callers on this machine are known to this server';
    throw new ServiceError('unauthorized', 401, message);
  }
  const { operator, anonymous } = callersOf(tenant);
  return (isForeign ? anonymous : operator)[transport];
}

function isLoopback(address: string | undefined): boolean {
  if (address === '127.0.0.1' || address === '::1') return true;
  // One of IPv4 on a socket of both looks like ::ffff:127.0.0.1, which the list knows.
  return address !== undefined && loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
