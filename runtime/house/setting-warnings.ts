import { isIP } from 'node:net';
import type { Config } from '../../generated/config.ts';
import { createAddressGuard } from '../outbound/index.ts';

/** Where virtual machines ask what they are, and with which credentials. */
const metadata = '169.254.169.254';

/** What can be used and is probably not what was meant. */
const suspicions: readonly ((config: Config) => readonly string[])[] = [
  ({ outboundAllow }) =>
    outboundAllow
      .filter((network) => network.endsWith('/0'))
      .map((network) => {
        const version = network.includes(':') ? 'IPv6' : 'IPv4';
        return `SERVICE_OUTBOUND_ALLOW has ${network}: no address of ${version} is refused any more`;
      }),
  ({ outboundAllow }) => {
    const isPermitted = createAddressGuard(
      outboundAllow.filter((network) => !network.endsWith('/0')),
      false,
    );
    return isPermitted(metadata)
      ? [
          `SERVICE_OUTBOUND_ALLOW lets requests through to ${metadata}, where clouds keep credentials`,
        ]
      : [];
  },
  ({ providerUrl, outboundAllow }) => {
    const isPermitted = createAddressGuard(outboundAllow, false);
    return Object.entries(providerUrl).flatMap(([id, url]) => {
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
      return isIP(host) === 0 || isPermitted(host)
        ? []
        : [
            `SERVICE_PROVIDER_${id.toUpperCase()}_URL leads to ${host}, which SERVICE_OUTBOUND_ALLOW does not name: every call will be refused`,
          ];
    });
  },
];

/** What the operator should look at, each in one line without a secret. */
export function settingWarnings(config: Config): readonly string[] {
  return suspicions.flatMap((suspicion) => suspicion(config));
}
