import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { cidrInstead } from '#contract/config/cidr';
import { isLoopback } from '#contract/config/loopback';
import type { BackEndRules, ListeningPlace } from '#contract/house/outbound';
import { createAddressGuard } from '../connection/address-guard.ts';
import { isIn, isNeverReached, reachedAddress } from './refused-networks.ts';

/** Says why a connection to an address, for a host and port that a URL names, is refused. */
export type AddressRule = (host: string, port: number, address: string) => string | undefined;

/** Make the rule from what the operator permits. */
export function createAddressRule(rules: BackEndRules): AddressRule {
  const { networks, names } = splitAllowed(rules.allow);
  const isPublic = createAddressGuard([], false);
  return (host, port, address) => {
    const reached = reachedAddress(address);
    if (reached === undefined) return `${address} is no IP address`;
    if (isNeverReached(reached)) return `${reached} is an address that nothing may lead to`;
    if (port === rules.ownPort() && isOwn(reached)) return 'this server itself listens there';
    const place = rules.refusedPlaces.find(
      (each) => each.port === port && isAt(each, host, reached),
    );
    if (place !== undefined) return `${place.what} there`;
    const parsed = ipaddr.process(reached);
    const isNamed = networks.some((network) => isIn(parsed, network));
    if (isLoopback(reached)) {
      // A name or a wide network does not open this machine: only who names it means it.
      const isMeant = networks.some(
        (network) => isIn(parsed, network) && isLoopback(network[0].toString()),
      );
      return rules.isLocal || isMeant ? undefined : `${reached} is this very machine`;
    }
    if (isNamed || isPublic(reached) || names.some((name) => name.test(host))) return undefined;
    return `${reached} is not public, and SERVICE_OBSERVABILITY_ENDPOINT_ALLOW names neither it nor ${host}`;
  };
}

function splitAllowed(allow: readonly string[]) {
  const networks = allow.filter((each) => cidrInstead(each) === undefined);
  const names = allow.filter((each) => !networks.includes(each));
  return {
    networks: networks.map((text) => {
      const [address = '', bits] = text.split('/');
      const parsed = ipaddr.parse(address);
      const whole = parsed.kind() === 'ipv4' ? 32 : 128;
      return [parsed, bits === undefined ? whole : Number(bits)] as [typeof parsed, number];
    }),
    names: names.map(patternOf),
  };
}

/** `*.internal` as it is meant: the star stands for labels, not for nothing. */
function patternOf(glob: string): RegExp {
  const escaped = glob
    .toLowerCase()
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[a-z0-9._-]+');
  return new RegExp(`^${escaped}$`);
}

/** Whether a host and the address behind it are those of a server that listens on a name or address. */
function isAt({ host: listens }: ListeningPlace, host: string, address: string): boolean {
  if (listens === '0.0.0.0' || listens === '::') return isOwn(address);
  if (isLoopback(listens)) return isLoopback(address);
  return host === listens || address === reachedAddress(listens);
}

/** Whether an address is one of this machine's. */
function isOwn(address: string): boolean {
  if (isLoopback(address)) return true;
  return Object.values(networkInterfaces()).some((each) =>
    each?.some((own) => own.address === address),
  );
}
