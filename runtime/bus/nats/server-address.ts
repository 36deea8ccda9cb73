import { type ConnectionOptions, credsAuthenticator } from '@nats-io/transport-node';
import type { NatsSettings } from '../nats-settings.ts';
import { parseServers } from './server-url.ts';

/** How to reach NATS. */
export type NatsAddress = Pick<NatsSettings, 'url'> &
  Partial<Pick<NatsSettings, 'credentials' | 'certificateAuthority'>>;

/**
 * The options of the client for an address.
 *
 * @throws TypeError that says what is wrong with it
 */
export function connectionOptions(address: NatsAddress): ConnectionOptions {
  const servers = parseServers(address.url);
  const isEncrypted = servers.some(({ protocol }) => protocol === 'tls:');
  const { certificateAuthority: ca, credentials } = address;
  return {
    servers: servers.map(({ hostname, port }) => `${hostname}:${port === '' ? '4222' : port}`),
    ...userOf(servers[0]),
    ...(credentials !== undefined && {
      authenticator: credsAuthenticator(new TextEncoder().encode(credentials)),
    }),
    ...((isEncrypted || ca !== undefined) && { tls: ca === undefined ? {} : { ca } }),
  };
}

/** A user without a password is a token, as everywhere in NATS. */
function userOf({ username, password }: URL): ConnectionOptions {
  if (username === '') return {};
  const user = decodeURIComponent(username);
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) };
}
