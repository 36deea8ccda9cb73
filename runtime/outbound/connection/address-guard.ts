import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;

/** Says whether a connection to a numeric address is permitted. */
export type AddressGuard = (address: string) => boolean;

/** What an operator's own machines live in; never link-local, where cloud metadata answers. */
const operatorRanges = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Build the check of addresses: public ones pass, those in `allow`, and for a self-hosted vendor
 * also the private ones.
 */
export function createAddressGuard(allow: readonly string[], selfHosted: boolean): AddressGuard {
  const allowed = allow.map(parseRange);
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    // An IPv4-mapped address (RFC 4291 section 2.5.5.2) reaches the IPv4 host, so it counts as one.
    const address = ipaddr.process(text);
    if (isPublic(address)) return true;
    if (selfHosted && operatorRanges.has(address.range())) return true;
    return allowed.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  };
}

function parseRange(text: string): [Address, number] {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch (cause) {
    throw new Error(`SERVICE_OUTBOUND_ALLOW must list CIDRs, but ${JSON.stringify(text)} is none`, {
      cause,
    });
  }
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return true;
  // Global unicast is 2000::/3 (RFC 4291 section 2.4); what else ipaddr.js calls unicast can embed
  // an IPv4 address (::127.0.0.1) or is not assigned.
  return ((address.toByteArray()[0] ?? 0) & 0xe0) === 0x20;
}
