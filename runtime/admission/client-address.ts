import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';

/** The proxies whose word counts, and in which header they write it. */
export interface ProxySettings {
  /** Addresses and networks. */
  readonly trustedProxies?: readonly string[];
  readonly proxyHeader?: 'x-forwarded-for' | 'forwarded';
}

/** Says from which address a request comes. */
export type ClientAddress = (request: IncomingMessage) => string | undefined;

/** More hops than that are not looked at: whoever writes the header could write millions. */
const mostHops = 32;

/**
 * Make what finds the address of clients: that of the peer, or where the peer is a trusted proxy, the
 * last address that such a proxy has written down and that is none itself (RFC 7239 section 5.2). Only
 * one header counts: a proxy that writes the other one lets this one through as it came.
 */
export function clientAddressBy({
  trustedProxies = [],
  proxyHeader = 'x-forwarded-for',
}: ProxySettings): ClientAddress {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress;
  const proxies = listOf(trustedProxies);
  const isProxy = (address: string) => proxies.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  const read = proxyHeader === 'forwarded' ? forwardedFor : (hop: string) => hop;
  return ({ socket, headers }) => {
    let address = socket.remoteAddress;
    const told = headers[proxyHeader];
    if (address === undefined || told === undefined) return address;
    // The nearest proxy has written the last one.
    const hops = String(told).split(',').reverse();
    for (const hop of hops.slice(0, mostHops)) {
      if (!isProxy(address)) return address;
      const next = addressIn(read(hop));
      // What is none leaves the last of which a proxy knew.
      if (next === undefined) return address;
      address = next;
    }
    return address;
  };
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const type = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(prefix), type);
  }
  return list;
}

/** The value of `for` of one element of the header Forwarded. */
function forwardedFor(element: string): string {
  return /(?:^|;)\s*for\s*=\s*("[^"]*"|[^;\s]*)/i.exec(element.trim())?.[1] ?? '';
}

/** An address that may stand in quotes and brackets, and have a port behind it. */
function addressIn(text: string): string | undefined {
  const plain = text.trim().replace(/^"(.*)"$/, '$1');
  if (isIP(plain) !== 0) return plain;
  const [, inBrackets, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|([^:]+):\d+)$/.exec(plain) ?? [];
  const address = inBrackets ?? withPort ?? '';
  return isIP(address) === 0 ? undefined : address;
}
