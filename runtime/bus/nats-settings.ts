import { ConfigError } from '#contract/config/config';
import type { Config } from '../../generated/config.ts';
import { parseServers } from './nats/server-url.ts';

/** NATS, where it takes the place of the streams in the store. */
export interface NatsSettings {
  /** `nats://` or `tls://` addresses with commas between them, all of one cluster. */
  readonly url: string;
  /** Text of a credentials file (JWT and seed of a user). */
  readonly credentials: string | undefined;
  /** Certificates, in PEM, of those who may have signed that of the server. */
  readonly certificateAuthority: string | undefined;
  /** Whether its streams are on disk, or in memory only. */
  readonly isPersistent: boolean;
  /** Servers that hold a copy of each stream: 1, 3 or 5. */
  readonly replicas: number;
}

/**
 * What the operator says of NATS; nothing where the store carries the bus.
 *
 * @throws ConfigError
 */
export function natsSettings({ surfaces: { bus } }: Config): NatsSettings | undefined {
  const { url, credentials, certificateAuthority, persistent: isPersistent } = bus;
  if (url === undefined) return undefined;
  try {
    parseServers(url);
  } catch (error) {
    const expected = error instanceof Error ? error.message : String(error);
    throw new ConfigError([{ variable: 'SERVICE_BUS_URL', expected }]);
  }
  return { url, credentials, certificateAuthority, isPersistent, replicas: Number(bus.replicas) };
}
