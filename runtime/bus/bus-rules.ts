import { ConfigError } from '#contract/config/config';
import type { Config } from '../../generated/config.ts';

/**
 * Refuse a server of NATS: nobody may believe that events go there.
 *
 * @throws ConfigError
 */
export function requireEmbeddedBus({ surfaces: { bus } }: Config): void {
  if (bus.url === undefined) return;
  const expected = 'nothing: this version has no client for NATS, events are kept in the store';
  throw new ConfigError([{ variable: 'SERVICE_BUS_URL', expected }]);
}
