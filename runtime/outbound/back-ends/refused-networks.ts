import ipaddr from 'ipaddr.js';

/** Where nothing of an operator's answers, or what gives a machine its credentials; nothing opens them. */
const refused = [
  '0.0.0.0/8',
  // Link-local, where clouds keep credentials (169.254.169.254).
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254/128',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  // Multicast and broadcast.
  '224.0.0.0/4',
  '255.255.255.255/32',
  'ff00::/8',
  '::/128',
].map((text) => ipaddr.parseCIDR(text));

type Address = ReturnType<typeof ipaddr.parse>;

/** Prefixes of IPv6 behind which an IPv4 address stands that the network translates to. */
const translated = [
  { network: ipaddr.parseCIDR('64:ff9b::/96'), at: 12 },
  { network: ipaddr.parseCIDR('64:ff9b:1::/48'), at: 12 },
  // 6to4 (RFC 3056).
  { network: ipaddr.parseCIDR('2002::/16'), at: 2 },
  // IPv4-compatible (RFC 4291 section 2.5.5.1).
  { network: ipaddr.parseCIDR('::/96'), at: 12 },
];

/** The address that a connection reaches in the end: IPv4 where it is wrapped in IPv6. */
export function reachedAddress(text: string): string | undefined {
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  const bytes = address.toByteArray();
  if (address.toString() === '::1' || address.toString() === '::') return address.toString();
  const wrapped = translated.find(({ network }) => isIn(address, network));
  return wrapped === undefined
    ? address.toString()
    : bytes.slice(wrapped.at, wrapped.at + 4).join('.');
}

/** Whether no rule of an operator may lead there. */
export function isNeverReached(address: string): boolean {
  const parsed = ipaddr.process(address);
  return refused.some((network) => isIn(parsed, network));
}

/** Whether `address` is in `network`, of either version. */
export function isIn(address: Address, network: [Address, number]): boolean {
  return address.kind() === network[0].kind() && address.match(network);
}
